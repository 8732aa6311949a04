/** Colours of words in code; a test holds each to a contrast of 4.5:1 on the sheet, in both schemes. */
export const codeStyle = `:root{--word:#a3321a;--quoted:#1d6b3c;--figure:#8a4a00;--aside:#586b74;--title:#17616d;--kind:#6b3fa0;--label:#0f5a8c}
@media (prefers-color-scheme:dark){:root{--word:#ff9d7f;--quoted:#96d3a4;--figure:#f0c277;--aside:#94a8ae;--title:#7cc7d0;--kind:#c8abee;--label:#8fc4ec}}
.hljs-keyword,.hljs-selector-tag,.hljs-doctag,.hljs-deletion,.hljs-meta .hljs-keyword{color:var(--word)}
.hljs-string,.hljs-regexp,.hljs-addition,.hljs-quote{color:var(--quoted)}
.hljs-number,.hljs-literal,.hljs-symbol,.hljs-link{color:var(--figure)}
.hljs-comment,.hljs-meta{color:var(--aside)}
.hljs-title,.hljs-section,.hljs-name,.hljs-selector-class,.hljs-selector-id{color:var(--title)}
.hljs-type,.hljs-built_in,.hljs-class .hljs-title,.hljs-title.class_{color:var(--kind)}
.hljs-attr,.hljs-attribute,.hljs-variable,.hljs-template-variable,.hljs-property,.hljs-params .hljs-attr{color:var(--label)}
.hljs-comment,.hljs-emphasis{font-style:italic}
.hljs-strong,.hljs-section{font-weight:700}`;

/**
 * Rendered Markdown, in an element of the class `prose`. Scrolling smoothly past the parts of a long
 * text would lay out each of them, and end where its target was before.
 */
export const proseStyle = `${codeStyle}
.prose{width:100%;max-width:46rem;margin:0 auto;padding:clamp(1.5rem,5vw,3.5rem) clamp(1rem,4vw,2rem);flex:1;line-height:1.65}
.prose>*+*{margin-top:1.1em}
.prose :is(h1,h2,h3,h4,h5,h6){margin-top:1.6em;scroll-margin-top:1rem}
.prose>.part{margin:0 -.5rem;padding:0 .5rem;content-visibility:auto;contain-intrinsic-size:auto 46rem auto 120rem}
.prose :where(.part)>*{margin-top:1.1em}
.prose>:first-child,.prose>.part:first-child>:first-child{margin-top:0}
:root:has(.prose>.part){scroll-behavior:auto}
@media print{.prose>.part{content-visibility:visible}}
.prose h1{font-size:2rem}.prose h2{font-size:1.5rem;padding-bottom:.3em;border-bottom:1px solid var(--line)}.prose h3{font-size:1.1875rem}.prose :is(h4,h5,h6){margin-bottom:0;font-size:1rem}
.prose :is(ul,ol){padding-inline-start:1.5em}
.prose li+li,.prose li>:is(ul,ol,p,pre){margin-top:.35em}
.prose blockquote{margin-inline:0;padding-inline-start:1.125em;border-inline-start:4px solid var(--edge);color:var(--muted)}
.prose blockquote>*+*{margin-top:.75em}
.prose hr{height:1px;border:0;background:var(--line)}
.prose img{max-width:100%;height:auto}
.prose :not(pre)>code{padding:.1em .35em;border-radius:5px;background:var(--ground)}
.prose pre{direction:ltr;background:var(--sheet);color:var(--ink);font-size:.9375rem}
.prose pre code{font-size:.9375em}
.prose .scroll{overflow-x:auto}
.prose table{width:auto;min-width:50%;table-layout:auto}
.prose :is(th,td){padding:.5rem .75rem;border-bottom:1px solid var(--line);color:inherit;font-size:1rem;overflow-wrap:normal}
.prose thead th{border-bottom:2px solid var(--ink);color:inherit;font-weight:600}
.prose .to-right{text-align:right}.prose .to-center{text-align:center}
.absent{color:var(--muted)}
.absent::before{content:"\\1F5BC\\FE0E  "}
.prose :is(kbd,samp){font-family:var(--code);font-size:.875em}
.prose kbd{padding:.1em .4em;border:1px solid var(--edge);border-bottom-width:2px;border-radius:5px;background:var(--sheet)}
.prose summary{cursor:pointer}
.prose details>*+*{margin-top:.75em}
.prose .task{list-style:none}
.prose .task input{margin:0 .5em 0 -1.5em;vertical-align:middle}
.prose .alert{padding:.25em 0 .25em 1.125em;border-left:4px solid var(--label)}
.prose .alert>*+*{margin-top:.5em}
.prose .alert-title{color:var(--label);font-weight:600}
.prose .alert-tip{border-color:var(--quoted)}.prose .alert-tip .alert-title{color:var(--quoted)}
.prose .alert-important{border-color:var(--kind)}.prose .alert-important .alert-title{color:var(--kind)}
.prose .alert-warning{border-color:var(--figure)}.prose .alert-warning .alert-title{color:var(--figure)}
.prose .alert-caution{border-color:var(--word)}.prose .alert-caution .alert-title{color:var(--word)}
.prose .formula{display:block;overflow-x:auto;overflow-y:hidden;text-align:center}
.prose .footnote-ref a{text-decoration:none}
.prose .footnotes{font-size:.9375em}
.prose .fields pre{font-size:.875em}
.prose .cell>*+*{margin-top:.5em}
.prose .input{border-left:3px solid var(--label)}
.prose .output{overflow-x:auto}
.prose pre.output{background:none;max-height:40rem}
@media print{.prose pre.output{max-height:none;white-space:pre-wrap}}
.prose pre.error{border-left:3px solid var(--word)}
.prose .output img:not(picture img){background:#fff}
.contents{padding:.625rem .875rem;border:1px solid var(--line);border-radius:10px;background:var(--sheet)}
.contents summary{font-weight:600}
.contents ul{list-style:none;padding:0}
.contents li+li{margin-top:.25em}
.contents a{text-decoration:none}
.contents .of-h2{padding-left:1em}.contents .of-h3{padding-left:2em}.contents .of-h4{padding-left:3em}
`;
