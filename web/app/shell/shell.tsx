import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import {
  type KeyboardEvent as KeyPress,
  lazy,
  Suspense,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import { createPortal } from 'react-dom';
import { Button } from '../../ui/button.tsx';
import { LoadingDialog } from '../../ui/loading-dialog.tsx';
import { Mark } from '../../ui/mark.tsx';
import { AccountContext } from '../api/account.ts';
import { call } from '../api/call.ts';
import { configQuery, forgetAccount, onSessionChange, sessionQuery } from '../api/session.ts';
import { endQuestion, sessionEnd, signInAgain } from '../api/session-end.ts';
import { texts } from '../texts/en.ts';
import { cancelAllUploads } from '../upload/upload-store.ts';
import { DropArea } from '../upload/drop-area.tsx';
import { UploadPanel } from '../upload/upload-panel.tsx';
import { UndoToast } from './undo-toast.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useIsOnline } from './use-is-online.ts';

const t = texts.nav;

/** Few people ever see it. */
const SessionDialog = lazy(async () => ({
  default: (await import('./session-dialog.tsx')).SessionDialog,
}));

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

const OperatorLink = lazy(async () => ({
  default: (await import('../views/operator/operator-link.tsx')).OperatorLink,
}));

/** The frame of every view of an account: navigation, what is being published, and where files are dropped. */
export function Shell() {
  const session = useAccount();
  const isOnline = useIsOnline();
  useKeptFocus();
  const isEnded = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.snapshot);
  if (!session) return null;
  return (
    <AccountContext value={session.email}>
      <a className="skip" href="#view">
        {texts.skip}
      </a>
      <div className="app">
        <Navigation email={session.email} isOperator={session.isOperator} />
        <main id="view" className="view" tabIndex={-1}>
          <Outlet />
        </main>
        <div className="notices">
          {!isOnline && (
            <p className="banner" role="status">
              {texts.states.offline}
            </p>
          )}
          <UndoToast />
          <UploadPanel />
        </div>
        <DropArea />
        {isEnded && (
          <Suspense>
            <SessionDialog email={session.email} />
          </Suspense>
        )}
      </div>
    </AccountContext>
  );
}

const links = [
  { to: '/', label: t.projects },
  { to: '/upload-links', label: t.uploadLinks },
  { to: '/workspaces', label: t.workspaces },
  { to: '/domains', label: t.domains },
  { to: '/keys', label: t.integrations },
  { to: '/connect', label: t.connect },
  { to: '/account', label: t.account },
] as const;

/** Views that the list of projects leads to. */
const isOfProjects = /\/(?:projects\/|deleted$)/;

/** A link of the menu may have the focus; then it is hidden, and the button gets it. */
function closeWithEscape({ key, currentTarget }: KeyPress, set: (isOpen: boolean) => void) {
  if (key !== 'Escape') return;
  set(false);
  currentTarget.querySelector('button')?.focus();
}

function Navigation({ email, isOperator }: { email: string; isOperator: boolean }) {
  const { data: config } = useQuery(configQuery);
  const [isOpen, setOpen] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => setOpen(false), [path]);
  return (
    <header
      className="rail-nav"
      data-open={isOpen}
      onKeyDown={(event) => isOpen && closeWithEscape(event, setOpen)}
    >
      <a className="name display" href="/">
        <Mark />
        <span>{config?.brand}</span>
      </a>
      <button
        type="button"
        className="button quiet small menu"
        aria-expanded={isOpen}
        aria-controls="navigation"
        onClick={() => setOpen(!isOpen)}
      >
        {t.menu}
      </button>
      <nav id="navigation" aria-label={t.label}>
        {links.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            activeOptions={{ exact: to === '/' }}
            {...(to === '/' && isOfProjects.test(path) && { 'aria-current': true })}
          >
            {label}
          </Link>
        ))}
        {isOperator && (
          <Suspense>
            <OperatorLink />
          </Suspense>
        )}
        <a href="/docs">{t.docs}</a>
        <GoTo />
        <p className="who">
          <bdi>{email}</bdi>
        </p>
        <SignOut />
      </nav>
    </header>
  );
}

/** Opens the palette, as Ctrl+K does anywhere. */
function GoTo() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <Button aria-haspopup="dialog" aria-keyshortcuts="Control+K" onClick={() => setOpen(true)}>
        {t.goTo}
      </Button>
      {/* On a phone, what is in the menu is hidden with it. */}
      {isOpen &&
        createPortal(
          <Suspense fallback={<LoadingDialog title={t.goTo} onClose={close} />}>
            <Palette links={links} onClose={close} />
          </Suspense>,
          document.body,
        )}
    </>
  );
}

function SignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    cancelAllUploads();
    await call('endWebSession', {});
    forgetAccount(client);
    await navigate({ to: '/sign-in' });
  };
  return <Button onClick={() => void signOut()}>{t.signOut}</Button>;
}

/**
 * The account that the page is of. It stays after its session has ended, so that the page does: then
 * somebody is asked to sign in again. Another account that signs in elsewhere makes the page a new one.
 */
function useAccount() {
  const client = useQueryClient();
  const { data } = useQuery(sessionQuery);
  const [account, setAccount] = useState(data);
  const email = account?.email;
  const isOther = data && email !== undefined && data.email !== email;
  if (data && data !== account && !isOther) setAccount(data);
  useEffect(() => {
    const startAnew = () => {
      cancelAllUploads();
      client.clear();
      location.reload();
    };
    if (isOther) startAnew();
    const compare = async () => {
      const read = client.fetchQuery({ ...sessionQuery, staleTime: 0 });
      const now = await read.catch(() => null);
      if (now?.email === email) endQuestion(true);
      else startAnew();
    };
    return onSessionChange(() => void compare());
  }, [client, email, isOther]);
  useEffect(() => {
    if (data === null) void signInAgain();
    if (data && !isOther) endQuestion(true);
  }, [data, isOther]);
  useEffect(() => () => endQuestion(false), []);
  return account;
}
