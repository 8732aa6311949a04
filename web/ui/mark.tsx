/** The mark: a hull on its slope. Beside the name it says nothing new, so it is hidden from readers. */
export function Mark() {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path className="slope" d="M2 20.5 30 27.5" strokeWidth="2.4" strokeLinecap="round" />
      <g transform="rotate(14 16 16)">
        <path className="ink" d="M4 10h25l-2 4.4H6z" />
        <path className="lead" d="M6.6 15.8h19.8l-2 4.2H9.8z" />
      </g>
    </svg>
  );
}

/** The slipway from the side, with a hull that waits on it. */
export function Slipway() {
  return (
    <svg className="slipway" viewBox="0 0 600 170" aria-hidden="true" focusable="false">
      <g className="hull">
        <g transform="translate(0 -42)">
          <path className="ink" d="M0 0h132l-9 21H9z" />
          <path className="lead" d="M10 25h111.5l-6 15H21z" />
          <path className="ink" d="M30-4v-22h38v22zM76-4v-13h22v13z" />
          <path className="pane" d="M37-20h9v8h-9zM52-20h9v8h-9z" />
        </g>
      </g>
      <path className="water" d={`M312 124${waves}V170H312z`} />
      <path className="wave" d={`M312 124${waves}`} />
      <path className="ramp" d="M0 62 540 170H0z" />
      <path className="rail" d="M0 62 540 170" />
    </svg>
  );
}

const waves = `q9-6 18 0${'t18 0'.repeat(15)}`;
