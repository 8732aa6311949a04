import { readersClock } from './parts/readers-clock.ts';

for (const row of document.querySelectorAll<HTMLTableRowElement>('tr[data-clock]')) {
  const { clock = '', zone = '' } = row.dataset;
  const time = readersClock(clock, zone);
  if (time === undefined) continue;
  const name = document.createElement('th');
  name.scope = 'row';
  name.textContent = 'Your time';
  const value = document.createElement('td');
  value.textContent = time;
  const own = document.createElement('tr');
  own.append(name, value);
  row.after(own);
}
