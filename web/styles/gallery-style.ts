/** Styles of lists with pictures, in addition to the common stylesheet. */
export const galleryStyle = `
.gallery{margin-top:1.75rem;display:grid;gap:1rem}
.gallery ul{list-style:none;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(10.5rem,42%),1fr));gap:1rem}
.gallery li{min-width:0}
.gallery a{display:grid;gap:.125rem;color:var(--ink);text-decoration:none;font-size:.9375rem;line-height:1.35}
.gallery img{width:100%;aspect-ratio:4/3;object-fit:cover;margin-bottom:.375rem;border-radius:8px;background:var(--ground)}
.gallery a:hover img{outline:2px solid var(--water);outline-offset:2px}
.gallery .label{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.gallery .hint{font-size:.8125rem}
.lightbox{width:100%;max-width:none;height:100%;max-height:none;margin:0;padding:0;border:0;background:var(--dark);color:var(--on-dark);overflow:hidden}
.lightbox[open]{display:grid;grid-template-rows:auto minmax(0,1fr)}
.lightbox .bar{display:flex;align-items:center;gap:.75rem 1.25rem;padding:.625rem clamp(.75rem,3vw,1.5rem)}
.bar p{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.bar .number{margin-left:.5rem;opacity:.8}
.bar a{color:inherit}
.lightbox .button{min-height:2.75rem;padding:.25rem 1rem;color:inherit;border-color:var(--rail)}
.lightbox .button:hover{border-color:var(--on-dark)}
.lightbox :focus-visible{outline-color:var(--on-dark)}
.shown{display:grid;grid-template-columns:auto minmax(0,1fr) auto;align-items:center;gap:.75rem;padding:0 clamp(.5rem,2vw,1.5rem) 1.25rem;min-height:0}
.shown img{grid-area:1/2;justify-self:center;max-width:100%;max-height:100%;min-height:0;object-fit:contain}
.shown .button{padding:.25rem .625rem}
.shown .icon{stroke:currentColor}
@media (max-width:36rem){.shown{grid-template:minmax(0,1fr) auto/1fr 1fr}.shown img{grid-area:1/1/2/3}.shown .button{justify-self:start}.shown img+.button{justify-self:end}}
`;
