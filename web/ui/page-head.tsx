import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { configQuery } from '../app/api/session.ts';

/**
 * The title of a view. It gets the focus when the view opens, so that a reader hears where it is; the
 * browser's tab shows it too, with the brand.
 */
export function PageHead({ title, intro, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Parts of a page have its title, and addresses of their own.
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data: config } = useQuery(configQuery);
  const brand = config?.brand ?? '';
  useEffect(() => {
    document.title = brand === '' ? title : `${title} · ${brand}`;
  }, [title, brand]);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, [title, path]);
  return (
    <header className="page-head">
      <h1 ref={heading} tabIndex={-1}>
        <bdi>{title}</bdi>
      </h1>
      {intro !== undefined && <p className="muted">{intro}</p>}
      {children}
    </header>
  );
}

interface PageHeadProps {
  title: string;
  intro?: string;
  children?: ReactNode;
}
