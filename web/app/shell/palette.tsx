import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { useOperation } from '../api/account.ts';
import { texts } from '../texts/en.ts';

const t = texts.nav;

/** As many as a person reads at once. */
const mostProjects = 8;

/** Finds a project or a page by a part of its name, and goes there. */
export function Palette({ links, onClose }: PaletteProps) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const { places, isSearching } = usePlaces(text.trim(), links);
  const go = (place: Place | undefined) => {
    if (place === undefined) return;
    onClose();
    void navigate({ href: `/dashboard${place.to}` });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') go(places[chosen]);
    if (step === undefined || places.length === 0) return;
    event.preventDefault();
    setChosen((chosen + step + places.length) % places.length);
  };
  return (
    <Dialog title={t.goTo} onClose={onClose}>
      <input
        className="palette-field"
        role="combobox"
        aria-label={t.goToField}
        aria-controls="places"
        aria-expanded
        aria-activedescendant={`place-${chosen}`}
        placeholder={t.goToField}
        autoFocus
        autoComplete="off"
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
      />
      <Places places={places} chosen={chosen} onChoose={go} />
      <p className="muted" role="status">
        {isSearching ? texts.states.loading : places.length === 0 && texts.projects.noMatch}
      </p>
    </Dialog>
  );
}

function Places({ places, chosen, onChoose }: PlacesProps) {
  return (
    <ul id="places" className="menu-list" role="listbox" aria-label={t.goTo}>
      {places.map((place, index) => (
        <li
          key={place.to}
          id={`place-${index}`}
          role="option"
          aria-selected={index === chosen}
          onClick={() => onChoose(place)}
        >
          <bdi>{place.label}</bdi>
        </li>
      ))}
    </ul>
  );
}

interface PlacesProps {
  places: readonly Place[];
  chosen: number;
  onChoose: (place: Place) => void;
}

/** The pages of the app and the projects that match. */
function usePlaces(q: string, links: readonly Place[]) {
  const found = useDeferredValue(q);
  const { data, isPending } = useOperation('listProjects', {
    limit: mostProjects,
    ...(found !== '' && { q: found }),
  });
  const projects = data?.projects ?? [];
  const places: Place[] = [
    ...projects.map(({ id, title }) => ({ to: `/projects/${id}`, label: title })),
    ...links.filter(({ label }) => label.toLowerCase().includes(q.toLowerCase())),
  ];
  return { places, isSearching: isPending };
}

/** Where the palette can go. */
interface Place {
  to: string;
  label: string;
}

interface PaletteProps {
  links: readonly Place[];
  onClose: () => void;
}
