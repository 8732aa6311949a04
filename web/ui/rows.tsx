import type { ReactNode } from 'react';

/** A list with a row for each item, or a sentence where there is none. */
export function Rows<Item>({ items, empty, children }: RowsProps<Item>) {
  if (items.length === 0) return <p className="muted">{empty}</p>;
  return <ul className="plain-rows">{items.map(children)}</ul>;
}

interface RowsProps<Item> {
  items: readonly Item[];
  empty: string;
  /** An `li` with a key. */
  children: (item: Item) => ReactNode;
}

/** What a row is called, and below it what is to be known about it. */
export function RowText({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="row-main">
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span className="hint">{children}</span>
    </div>
  );
}
