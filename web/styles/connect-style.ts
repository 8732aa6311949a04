/** The page `/connect`: a narrow column of sections that open. */
export const connectStyle = `.top .name a{display:flex;align-items:center;gap:.625rem;color:inherit;text-decoration:none}
.connect{display:grid;gap:1.25rem;max-width:52rem;padding-block:1rem 4rem;align-content:start}
.connect h2{margin-top:1rem}
.connect details{border-bottom:1px solid var(--line)}
.connect summary{padding:.75rem 0;font-weight:600;cursor:pointer}
.connect details>div{display:grid;gap:1rem;padding-bottom:1.25rem}
.connect .choices{display:flex;flex-wrap:wrap;gap:.75rem}
.connect .copied{display:grid;gap:.5rem;justify-items:start;min-width:0}
.connect .copied pre{width:100%;padding:1rem;overflow-x:auto}
.connect :not(pre)>code{overflow-wrap:anywhere}
`;
