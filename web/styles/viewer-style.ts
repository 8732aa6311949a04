/** The frame of viewer pages: a bar that says what this is, tools that stay in view, and a stage. */
export const viewerStyle = `
.viewbar{display:flex;align-items:center;gap:.75rem 1rem;padding:.75rem clamp(1rem,3vw,1.5rem);background:var(--sheet);border-bottom:1px solid var(--line)}
.viewbar .icon{width:2.25rem;height:2.25rem;stroke-width:1.25}
.viewbar>div{flex:1;min-width:0}
.viewbar h1{display:-webkit-box;overflow:hidden;-webkit-box-orient:vertical;-webkit-line-clamp:2;font-size:1.1875rem;line-height:1.25}
.viewbar p{line-height:1.4}
.viewbar .note{text-align:right;text-wrap:balance}
.viewbar .button{flex:none;min-height:2.75rem;padding:.25rem 1rem}
.beside{display:flex;flex:none;gap:.25rem}
.beside a{display:grid;place-content:center;min-width:2.75rem;min-height:2.75rem;padding:0 .5rem;border-radius:8px;font-weight:600;text-decoration:none}
.beside a:hover{background:var(--tide)}
.view{display:flex;flex:1;flex-direction:column;width:100%;min-width:0;min-height:0}
.foot{max-width:none;padding-block:.75rem 1rem}
.tools{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;align-items:center;justify-content:center;gap:.125rem .25rem;padding:.25rem clamp(.5rem,3vw,1.5rem);background:var(--sheet);border-bottom:1px solid var(--line)}
.tools button{min-width:2.75rem;min-height:2.75rem;padding:0 .75rem;border:1px solid transparent;border-radius:8px;background:none;color:inherit;font:600 .9375rem/1 var(--text);cursor:pointer}
.tools button:hover{background:var(--tide)}
.tools button[aria-pressed=true]{background:var(--tide);border-color:var(--edge)}
.tools button:disabled{opacity:.4;cursor:default}
.tools output{min-width:3.5rem;text-align:center;font-variant-numeric:tabular-nums}
.tools label{display:flex;align-items:center;gap:.5rem;white-space:nowrap;font-variant-numeric:tabular-nums}
.tools input{width:4rem;min-height:2.5rem;padding:0 .5rem;border:1px solid var(--edge);border-radius:8px;background:var(--paper);color:inherit;font:inherit;text-align:center}
.tools i{flex:none;width:1px;height:1.5rem;margin:0 .5rem;background:var(--line)}
.view .fault{width:min(36rem,100% - 2rem);margin:2rem auto}
.view .fault strong{display:block}
@media (max-width:36rem){.viewbar{flex-wrap:wrap;gap:.375rem 1rem}.viewbar:has(.beside)>div{flex:1 0 100%}.viewbar .beside{flex:1;margin-left:-.5rem}.viewbar .note{order:1;flex:1 0 100%;font-size:.8125rem;text-align:left}.viewbar .icon,.tools [data-step],.tools i{display:none}}
@media print{.viewbar,.tools,.foot{display:none}}
`;
