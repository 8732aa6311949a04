/**
 * The one stylesheet of every page, inlined whole and allowed by its hash.
 *
 * The colours are fog, ink, red lead (the primer of a hull) and harbour water; a test holds every
 * pair of text and ground to a contrast of 4.5:1 in both schemes. No style attributes anywhere: the
 * policy refuses them.
 */
export const stylesheet = `
:root{color-scheme:light dark;
--paper:#f1f4f3;--sheet:#fff;--ink:#12242c;--muted:#4c5f68;--line:#d2dbda;--edge:#758a90;
--lead:#b3361a;--on-lead:#fff;--water:#17616d;--tide:#d9e9ea;--ground:#e4eae8;--rail:#8fa2a6;--dark:#12242c;--on-dark:#e3ecea;
--display:Bahnschrift,"DIN Alternate","Avenir Next Condensed","Roboto Condensed","Franklin Gothic Medium","DejaVu Sans Condensed",sans-serif;
--text:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;
--code:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;--p:0}
@media (prefers-color-scheme:dark){:root{
--paper:#0c161b;--sheet:#13212a;--ink:#e6eeec;--muted:#a2b4b9;--line:#273842;--edge:#6f868e;
--lead:#ff8c69;--on-lead:#240b03;--water:#7cc7d0;--tide:#15323c;--ground:#1c2c35;--rail:#4d636b;--dark:#081015;--on-dark:#dbe6e4}}
*,::before,::after{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-behavior:smooth;scroll-padding-top:1rem}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--paper);color:var(--ink);font:1rem/1.6 var(--text);overflow-wrap:anywhere}
h1,h2,h3,p,ul,ol,dl,dd,table,pre,fieldset{margin:0;padding:0}
h1,h2,h3,.display{font-family:var(--display);font-stretch:condensed;font-weight:700;line-height:1.12;letter-spacing:-.01em;text-wrap:balance}
h1{font-size:clamp(1.75rem,1.35rem + 1.8vw,2.5rem)}
h2{font-size:1.375rem;line-height:1.25}
a{color:var(--water);text-decoration-thickness:.07em;text-underline-offset:.2em}
a:hover{text-decoration-thickness:.14em}
:focus-visible{outline:3px solid var(--water);outline-offset:3px;border-radius:4px}
[tabindex="-1"]:focus{outline:0}
svg{display:block}
code,pre,kbd{font-family:var(--code);font-size:.9em}
.number,td,time,.clock{font-variant-numeric:tabular-nums}
.muted,.hint,.note{color:var(--muted)}
.hint,.note{font-size:.9375rem}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:1rem;top:-4rem;padding:.5rem 1rem;background:var(--sheet);z-index:1}
.skip:focus{top:1rem}
.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.875rem;padding:.5rem 1.25rem;border:1px solid transparent;border-radius:8px;background:var(--lead);color:var(--on-lead);font:600 1rem/1.2 var(--text);text-decoration:none;text-align:center;cursor:pointer}
.button:hover{box-shadow:inset 0 0 0 2px var(--on-lead)}
.button.quiet{background:none;border-color:var(--edge);color:var(--ink)}
.button.quiet:hover{border-color:var(--ink);box-shadow:none}
input:focus-visible+.button{outline:3px solid var(--water);outline-offset:3px}
.mark{flex:none;width:2rem;height:2rem}
.ink{fill:var(--ink)}.lead{fill:var(--lead)}.pane{fill:var(--sheet)}
.slope,.rail,.wave{fill:none;stroke:var(--rail);stroke-width:3;stroke-linecap:round}
.slope,.wave{stroke:var(--water)}
.water{fill:var(--tide)}.ramp{fill:var(--ground)}
.wave{stroke-width:2.5}.faint{opacity:.4}
.slipway{width:100%;height:auto;overflow:visible}
.away{opacity:.75}
.hull{transform:translate(calc(58px + var(--p)*352px),calc(min(73.6px + var(--p)*70.4px,134px))) rotate(calc(11.3deg*clamp(0,(1 - var(--p))*4,1)));transition:transform .5s ease-out}
.afloat .swell{animation:swell 4s ease-in-out infinite alternate}
@keyframes swell{from{transform:rotate(-.8deg)}to{transform:translateY(2px) rotate(.9deg)}}
.icon{flex:none;width:1.5rem;height:1.5rem;fill:none;stroke:var(--muted);stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.icon.folder{stroke:var(--water);fill:var(--tide)}
.sprite{position:absolute}
.sheet{width:100%;max-width:60rem;margin:0 auto;padding:clamp(1.5rem,5vw,4rem) clamp(1rem,4vw,2rem);flex:1}
.foot{width:100%;max-width:60rem;margin:0 auto;padding:1rem clamp(1rem,4vw,2rem) 2rem;color:var(--muted);font-size:.875rem}
.sheet:has(.message,.offer)+.foot{max-width:40rem}
.foot p{display:flex;align-items:center;gap:.5rem}
.foot a{margin-left:auto;padding:.5rem 0;color:inherit}
.foot .mark{width:1.375rem;height:1.375rem}
.message{max-width:36rem;margin:0 auto;display:grid;gap:1rem}
.message .slipway{margin-bottom:1rem}
.message p{max-width:34rem}
.status{color:var(--lead);font:700 .9375rem var(--display);letter-spacing:.08em}
.crumbs ol{display:flex;flex-wrap:wrap;list-style:none;gap:.25rem;margin-bottom:.5rem;font-size:.9375rem}
.crumbs li+li::before{content:"/";color:var(--muted);margin-right:.25rem}
.head{display:grid;gap:.375rem;margin-bottom:1.5rem}
.all{margin-top:.5rem}
@media (min-width:36rem){.head:has(.all){grid-template-columns:1fr auto}.head>*{grid-column:1}.head>.all{grid-area:1/2/3;align-self:center;margin:0}}
table{width:100%;table-layout:fixed;border-collapse:collapse;text-align:left}
th{font-weight:400}
thead th{padding:.5rem .75rem;border-bottom:2px solid var(--ink);color:var(--muted);font-size:.875rem}
tbody th,tbody td{padding:0 .75rem;border-bottom:1px solid var(--line)}
tbody td{color:var(--muted);font-size:.9375rem}
td.number,th.number{text-align:right;white-space:nowrap}
.entry{display:flex;align-items:center;gap:.75rem;min-height:2.875rem;padding:.375rem 0;color:var(--ink);text-decoration:none}
.entry:hover bdi{text-decoration:underline;text-decoration-color:var(--water)}
tbody tr:hover{background:var(--tide)}
.kind{width:10rem}th.number{width:8rem}
.offer{max-width:36rem;margin:0 auto;display:grid;gap:1.25rem;padding:clamp(1.5rem,5vw,2.5rem);background:var(--sheet);border:1px solid var(--line);border-radius:14px}
.offer .icon{width:4rem;height:4rem;margin-left:-.5rem;stroke-width:1}
.offer h1{font-size:1.625rem}
.facts{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1.5rem}
.facts dt{color:var(--muted)}
.top,.wide{width:100%;max-width:72rem;margin:0 auto;padding-inline:clamp(1rem,4vw,2.5rem)}
.top{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem 2rem;padding-block:1.25rem}
.name{display:flex;align-items:center;gap:.625rem;font-size:1.375rem}
.top nav{display:flex;gap:1.5rem}
.top nav a{display:inline-block;padding:.5rem 0}
.hero{display:grid;gap:2rem clamp(2rem,5vw,4.5rem);align-items:center;padding-block:clamp(1rem,5vw,4rem) clamp(3rem,7vw,6rem)}
.pitch{display:grid;gap:1.25rem;max-width:34rem}
.pitch h1{font-size:clamp(2.25rem,1.2rem + 4.4vw,4rem);line-height:1.02;letter-spacing:-.02em}
.pitch p{font-size:1.1875rem;color:var(--muted)}
@media (min-width:60rem){.hero{grid-template-columns:5fr 6fr;align-items:start}.pitch{min-height:25rem;align-content:center}}
.zone{position:relative;display:flex;flex-direction:column;justify-content:space-between;min-height:25rem;overflow:hidden;background:var(--sheet);border:2px dashed var(--edge);border-radius:16px}
.zone.over{border-color:var(--lead);border-style:solid}
.zone.busy,.zone.afloat{border-style:solid;border-color:var(--line)}
.panel{display:grid;gap:1rem;padding:clamp(1.25rem,4vw,2.25rem) clamp(1.25rem,4vw,2.25rem) 0}
.choices{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem}
.zone>.slipway{flex:none;margin-top:.5rem}
.said{margin:1rem clamp(1.25rem,4vw,2.25rem) 0}
.said>div,.fault{padding:.75rem 1rem;border-left:4px solid var(--lead);background:var(--paper)}
.said strong{display:block}
.scripted .native{position:absolute;width:1px;height:1px;opacity:0}
progress{width:100%;height:.5rem;accent-color:var(--lead)}
fieldset{border:0;min-width:0;display:grid;gap:.25rem;max-height:14rem;overflow:auto}
.form fieldset{max-height:none}
legend{padding:0;margin-bottom:.5rem}
.option{display:flex;gap:.75rem;align-items:center;min-height:2.5rem;padding-inline:.4375rem}
.option input{flex:none;margin:0;width:1.125rem;height:1.125rem;accent-color:var(--lead)}
.address{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:10px;background:var(--paper)}
.address>:first-child{flex:1 1 100%}
.address>a:first-child{font-size:1.125rem;font-weight:600}
.address .button{min-height:2.5rem;padding:.25rem 1rem}
.clock{font:700 1.375rem var(--display)}
.claim{width:100%;max-width:36rem;margin:0 auto;min-height:0}
.claim h1{font-size:clamp(1.75rem,1.5rem + 1vw,2.125rem)}
.afloat{--p:1}
.item{display:flex;align-items:center;gap:1rem}
.item .icon{width:2.5rem;height:2.5rem;stroke-width:1.25}
.item p{min-width:0}
.item strong{display:block;font-size:1.125rem;line-height:1.3}
.form{display:grid;gap:1rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.field{display:grid;gap:.375rem}
.field label{font-weight:600}
.field input,.field textarea{width:100%;min-height:3rem;padding:.5rem .875rem;border:1px solid var(--edge);border-radius:8px;background:var(--paper);color:inherit;font:inherit}
.field .digits{font:700 1.75rem var(--code);letter-spacing:.3em}
.field [aria-invalid]{border:2px solid var(--lead)}
.band{border-top:1px solid var(--line);padding-block:clamp(2.5rem,6vw,4.5rem)}
.band .wide{display:grid;gap:1.5rem clamp(2rem,5vw,4.5rem)}
.ledger>div{display:grid;gap:.25rem 2rem;padding:1rem 0;border-top:1px solid var(--line)}
.ledger>div:first-child{border-top:0;padding-top:0}
.ledger dt{font-weight:600}
.ledger dd{color:var(--muted)}
@media (min-width:60rem){.band .wide{grid-template-columns:5fr 11fr}.ledger>div{grid-template-columns:13rem 1fr}}
.column{display:grid;gap:1.25rem;align-content:start;min-width:0}
.column .column{gap:.5rem}
.links{display:flex;gap:1.5rem}
pre{padding:1.25rem;border:1px solid var(--line);border-radius:12px;background:var(--dark);color:var(--on-dark);overflow-x:auto;overflow-wrap:normal;line-height:1.55}
@media (max-width:36rem){.kind{display:none}.entry{min-height:3.25rem}thead th,tbody th,tbody td{padding-inline:.25rem}.top nav{gap:1.125rem}.choices .button{flex:1 1 auto}}
@media (forced-colors:active){.button{border-color:ButtonText}}
@media (prefers-reduced-motion:reduce){*,::before,::after{animation:none!important;transition:none!important;scroll-behavior:auto!important}}
@media print{:root{--paper:#fff;--sheet:#fff;--ink:#000;--muted:#333}.button,.skip,nav,.slipway{display:none!important}tr{break-inside:avoid}}
`;
