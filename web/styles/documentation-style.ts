import { codeStyle } from './prose-style.ts';

/** Documentation: a list of pages beside the text, or above it on a narrow screen. */
export const documentationStyle = `${codeStyle}
.top .name a{display:flex;align-items:center;gap:.625rem;color:inherit;text-decoration:none}
.docs{display:grid;gap:1.5rem clamp(2rem,5vw,4.5rem);align-content:start;width:100%;max-width:72rem;margin:0 auto;padding:1rem clamp(1rem,4vw,2.5rem) 4rem;flex:1}
.pages ul{list-style:none;display:flex;flex-wrap:wrap;gap:0 1.25rem}
.pages a{display:inline-block;padding:.4375rem 0}
.pages [aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
.pages ul ul{display:none}
.prose{min-width:0;max-width:46rem}
.prose>*+*{margin-top:1rem}
.prose h2{margin-top:2.75rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.prose h3{margin-top:1.75rem;font-size:1.125rem}
.prose ul,.prose ol{padding-left:1.375rem}
.prose li+li,.prose li ul{margin-top:.25rem}
.prose :not(pre)>code{padding:.0625rem .3125rem;border-radius:5px;background:var(--ground)}
.prose a>code{background:none;padding:0}
.prose pre{padding:1rem 1.125rem;background:var(--sheet);color:var(--ink);font-size:.9375rem}
.prose pre code{white-space:pre}
.scroll{overflow-x:auto}
.prose table{table-layout:auto;min-width:34rem;font-size:.9375rem}
.prose td,.prose thead th{padding:.5rem .75rem .5rem 0;vertical-align:top;color:var(--ink);overflow-wrap:break-word}
.prose thead:not(:has(th:not(:empty))){display:none}
.prose tbody tr:hover{background:none}
.contents{padding:1rem 1.25rem;border:1px solid var(--line);border-radius:12px;background:var(--sheet)}
.prose .contents h2{margin:0 0 .25rem;padding:0;border:0;font-size:1rem}
.contents ul{list-style:none;padding:0;columns:18rem;column-gap:2rem}
.prose .contents li{margin:0;break-inside:avoid}
.contents a{display:inline-block;padding:.25rem 0}
.cards{display:grid;gap:0}
.cards dt{margin-top:1.25rem;font-weight:600;font-size:1.125rem}
.cards dd{color:var(--muted)}
@media (min-width:60rem){.docs{grid-template-columns:13rem minmax(0,1fr)}.pages{position:sticky;top:1.5rem;align-self:start;max-height:calc(100vh - 3rem);overflow:auto}.pages ul{display:grid;gap:0}.pages ul ul{display:grid;padding-left:1rem;font-size:.9375rem}.pages ul ul a{padding:.1875rem 0}}
`;
