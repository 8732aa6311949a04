/**
 * What the classes of the library's XFA layer mean: boxes side by side (`Lr`) or below each other
 * (`Tb`), captions on a side of their field, and fields without the browser's own look.
 */
export const xfaStyle = `
.xfaLayer{position:absolute;top:0;left:0;transform-origin:0 0;line-height:1.2;text-align:initial}
.xfaLayer *{box-sizing:border-box;margin:0;padding:0;background-color:transparent;color:inherit;font:inherit;font-kerning:inherit;letter-spacing:-.01px;line-height:inherit;text-align:inherit;text-decoration:inherit}
.xfaLayer :is(div,svg){pointer-events:none}
.xfaLayer :is(input,textarea,select,button,a,label){pointer-events:auto}
.xfaFont{color:#000;font:normal 10px/1.2 sans-serif;font-kerning:none;text-decoration:none}
.xfaPage{position:relative;overflow:hidden}
.xfaContentarea,.xfaBorder{position:absolute}
.xfaPosition,.xfaArea{position:relative}
.xfaWrapped,.xfaRich,.xfaImage,.xfaLabel,.xfaCheckbox,.xfaRadio,.xfaButton{width:100%;height:100%}
.xfaImage{object-fit:contain;object-position:left top}
.xfaRich{white-space:pre-wrap}
.xfaRich li{margin-left:3em}
.xfaLayer a{color:#17616d;text-decoration:underline}
.xfaLink{position:absolute;inset:0}
.xfaLr,.xfaRl,.xfaRow,.xfaRlRow,.xfaLeft,.xfaRight{display:flex}
.xfaRl,.xfaRlRow,.xfaRight{flex-direction:row-reverse}
.xfaLrTb,.xfaRlTb,.xfaTb,.xfaTop,.xfaBottom,.xfaTable{display:flex;flex-direction:column}
.xfaBottom{flex-direction:column-reverse}
.xfaLeft,.xfaRight,.xfaValignMiddle{align-items:center}
.xfaValignMiddle{display:flex}
.xfaTop,.xfaBottom{align-items:flex-start}
.xfaCaption{flex:none;overflow:hidden}
.xfaCaptionForCheckButton{flex:auto;overflow:hidden}
:is(.xfaTop,.xfaBottom)>:is(.xfaCaption,.xfaCaptionForCheckButton){width:100%}
.xfaRlRow>div{flex:1}
.xfaTextfield,.xfaSelect{flex:auto;width:100%;height:100%;border:0;resize:none;background-image:linear-gradient(#0036ff21,#0036ff21)}
.xfaCheckbox,.xfaRadio{flex:none;border:0}
.xfaLayer :required{outline:1.5px solid #b3361a}
.xfaLayer :focus-visible{outline:2px solid #17616d}
:is(.xfaNonInteractive,.xfaDisabled,.xfaReadOnly) :is(input,textarea){background:none}
.xfaPrintOnly{display:none}
@media print{.xfaTextfield,.xfaSelect{background:none}.xfaPrintOnly{display:block}}
`;
