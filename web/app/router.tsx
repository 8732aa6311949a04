import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { configQuery, sessionQuery } from './api/session.ts';
import { addressOf } from './views/projects/project-filter.ts';
import { MissingView } from './shell/missing-view.tsx';
import { Skeleton } from '../ui/query-state.tsx';
import { RouteError } from './shell/route-error.tsx';
import { Shell } from './shell/shell.tsx';
import { forgetOtherAccounts } from './upload/upload-store.ts';
import { viewCode } from './view-code.ts';

/** Shown until it is known whether somebody is signed in, but not where that is known soon. */
const whileUnknown = {
  pendingMs: 500,
  pendingMinMs: 0,
  pendingComponent: () => (
    <main className="view">
      <Skeleton lines={5} />
    </main>
  ),
} as const;

const root = createRootRouteWithContext<{ client: QueryClient }>()({
  ...whileUnknown,
  errorComponent: RouteError,
  loader: ({ context }) => context.client.prefetchQuery(configQuery),
});

/**
 * A view that is loaded when somebody opens it. Without a network it comes when that is back: the router would load the
 * whole page again, and the browser show its own then.
 */
const lazyView: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => onceOnline(load), name);

async function onceOnline<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (navigator.onLine) throw error;
    await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
    return onceOnline(load);
  }
}

interface SignInSearch {
  /** Where to go after the sign-in, only addresses inside of the app. */
  next?: string;
  /** The address of an invitation, or of an account that was deleted. */
  email?: string;
}

function signInSearch({ next, email }: Record<string, unknown>): SignInSearch {
  const isInside = typeof next === 'string' && /^\/(?![/\\])/.test(next);
  return { ...(isInside && { next }), ...(typeof email === 'string' && { email }) };
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: signInSearch,
  component: lazyView(viewCode['sign-in'], 'SignInView'),
});

/** Everything that needs an account. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ context, location }) {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/sign-in', search: { next: location.href } });
    forgetOtherAccounts(session.email);
  },
  component: Shell,
  ...whileUnknown,
});

const views = {
  projects: lazyView(viewCode.projects, 'ProjectsView'),
  project: lazyView(viewCode.project, 'ProjectView'),
  overview: lazyView(viewCode.overview, 'OverviewView'),
  versions: lazyView(viewCode.versions, 'VersionsView'),
  links: lazyView(viewCode.links, 'LinksView'),
  files: lazyView(viewCode.files, 'FilesView'),
  settings: lazyView(viewCode.settings, 'SettingsView'),
  keys: lazyView(viewCode.keys, 'KeysView'),
  uploadLinks: lazyView(viewCode['upload-links'], 'UploadLinksView'),
  workspaces: lazyView(viewCode.workspaces, 'WorkspacesView'),
  domains: lazyView(viewCode.domains, 'DomainsView'),
  domain: lazyView(viewCode.domain, 'DomainView'),
  deleted: lazyView(viewCode.deleted, 'DeletedView'),
  account: lazyView(viewCode.account, 'AccountView'),
  webhooks: lazyView(viewCode.webhooks, 'WebhooksView'),
  connect: lazyView(viewCode.connect, 'ConnectView'),
  operator: lazyView(viewCode.operator, 'OperatorView'),
};

const inside = { getParentRoute: () => signedIn } as const;
const projects = createRoute({
  ...inside,
  path: '/',
  validateSearch: addressOf,
  component: views.projects,
});
/** What is left of a project's address without its id. */
const allProjects = createRoute({
  ...inside,
  path: '/projects',
  beforeLoad: () => {
    throw redirect({ to: '/' });
  },
});
const keys = createRoute({ ...inside, path: '/keys', component: views.keys });
const uploadLinks = createRoute({ ...inside, path: '/upload-links', component: views.uploadLinks });
const workspaces = createRoute({ ...inside, path: '/workspaces', component: views.workspaces });
const domains = createRoute({ ...inside, path: '/domains', component: views.domains });
const domain = createRoute({ ...inside, path: '/domains/$domainId', component: views.domain });
const deleted = createRoute({ ...inside, path: '/deleted', component: views.deleted });
const account = createRoute({ ...inside, path: '/account', component: views.account });
const webhooks = createRoute({ ...inside, path: '/webhooks', component: views.webhooks });
const connect = createRoute({ ...inside, path: '/connect', component: views.connect });
/** The page of an address that does not exist, for everybody but operators. */
const operator = createRoute({
  ...inside,
  path: '/operator',
  async beforeLoad({ context }) {
    const session = await context.client.ensureQueryData(sessionQuery);
    if (session?.isOperator !== true) throw notFound();
  },
  component: views.operator,
  notFoundComponent: MissingView,
});
const missing = createRoute({ ...inside, path: '$', component: MissingView });
const project = createRoute({
  ...inside,
  path: '/projects/$projectId',
  component: views.project,
});
const ofProject = { getParentRoute: () => project } as const;
const overview = createRoute({ ...ofProject, path: '/', component: views.overview });
const files = createRoute({ ...ofProject, path: '/files', component: views.files });
const links = createRoute({ ...ofProject, path: '/links', component: views.links });
const versions = createRoute({ ...ofProject, path: '/versions', component: views.versions });
const settings = createRoute({ ...ofProject, path: '/settings', component: views.settings });

const routeTree = root.addChildren([
  signIn,
  signedIn.addChildren([
    projects,
    allProjects,
    keys,
    uploadLinks,
    workspaces,
    domains,
    domain,
    deleted,
    account,
    webhooks,
    connect,
    operator,
    missing,
    project.addChildren([overview, links, files, versions, settings]),
  ]),
]);

/** The router of the app. A view that a link points to is loaded when the link is pointed at. */
export function createAppRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    basepath: '/dashboard',
    context: { client },
    defaultPreload: 'intent',
    defaultErrorComponent: RouteError,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  /** What one view tells the next one, and no link can. */
  interface HistoryState {
    /** For the page of the sign-in: until when the account that was just deleted can be restored. */
    until?: string;
  }
}
