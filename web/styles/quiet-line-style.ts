/** A line of small print with a button that looks like a link. */
export const quietLineStyle = `.quiet-line{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .75rem}
.linked{padding:.5rem 0;border:0;background:none;color:var(--water);font:inherit;text-decoration:underline;text-decoration-thickness:.07em;text-underline-offset:.2em;cursor:pointer}
.linked:hover{text-decoration-thickness:.14em}
`;
