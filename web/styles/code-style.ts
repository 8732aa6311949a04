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
