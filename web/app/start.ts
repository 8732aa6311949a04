import { requestEarly } from './api/early-answers.ts';
import { viewCode } from './view-code.ts';

/**
 * The first script of the app. It is small, so that the code of the view and the first answers are requested
 * while the rest of the app arrives. All of it is requested again, by the app itself, where this fails.
 */
function start({ pathname, search }: Location): void {
  const [place = '', id = '', part = 'overview'] = pathname.split('/').slice(2);
  const isProject = place === 'projects' && id !== '';
  const names = isProject ? ['project', part] : [id === '' ? place || 'projects' : 'domain'];
  const reads = { account: '/v1/user', project: `/v1/projects/${id}`, projects: firstProjects };
  for (const [name, load] of Object.entries(viewCode)) {
    if (names.includes(name)) load().catch(() => undefined);
  }
  const read = Object.entries(reads).filter(([name]) => names.includes(name) && search === '');
  requestEarly(['/v1/session', '/dashboard/config.json', ...read.map(([, url]) => url)]);
}

/** The list without any filter, as the view reads it. */
const firstProjects = '/v1/projects?archived=false&sort=newest&limit=100&include=opens';

start(location);
