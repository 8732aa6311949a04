/**
 * What fonts of symbols show for the codes from 33 on; a space where they have nothing. Symbol: Unicode's
 * `MAPPINGS/VENDORS/ADOBE/symbol.txt`. Wingdings and Webdings: the characters that Unicode 7 took over from them
 * (L2/12-368); where few fonts have one, an older one that looks like it.
 */
const fonts: ReadonlyMap<string, readonly string[]> = new Map(
  [
    [
      'symbol',
      '!∀#∃%&∍()*+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕ' +
        'κλμνοπθρστυϖωξψζ{|}~                                 €ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×' +
        '∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭',
    ],
    [
      'wingdings',
      '🖉✂✁👓🕭🕮🕯🕿✆🖂🖃📪📫📬📭🗀🗁🗎🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍✍✌✋👍👎☜☞☝☟✋☺😐☹💣🕱🏳🏱✈☼🌢❄🕆✞🕈✠✡☪☯🕉☸♈♉♊♋♌♍♎♏♐♑♒♓🙰' +
        '🙵●○■□□❑❒◆⧫◆❖◆☒⮹⌘🏵🏶🙶🙷▯🄋➀➁➂➃➄➅➆➇➈➉🄌➊➋➌➍➎➏➐➑➒➓🙢🙠🙡🙣🙞🙜🙝🙟∙•⬝○◉◎◎◉○▪□▲🟅★🟋🟏🟓🟑⯐⌖⯎⯏⯑' +
        '✪✰🕐🕑🕒🕓🕔🕕🕖🕗🕘🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘➢⮙⮛⮈⮊⮉⮋←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⇔⇳⬁⬀⬃⬂🢬🢭✗✓☒☑',
    ],
    [
      'wingdings 2',
      '🖊🖋🖌🖍✄✀🕾🕽🗅🗆🗇🗈🗉🗊🗋🗌🗍📋🗑🗔🖵🖶🖷🖸🖭🖯🖱🖒🖓🖘🖙🖚🖛👈👉🖜🖝🖞🖟🖠🖡👆👇🖢🖣🖑✗✓☒☑☒☒⮾⮿🛇⦸🙱🙴🙲🙳‽🙹🙺🙻🙦🙤🙥🙧🙚🙘🙙🙛⓪①' +
        '②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿ ☉🌕☽☾⸿✝🕇🕜🕝🕞🕟🕠🕡🕢🕣🕤🕥🕦🕧🙨🙩⋅••●○○○🞉⊙⦿🞌▪◾■□🞑🞒🞓▪▣🞕🞖▪◆◆◆◇◆◈🞛🞜🞝' +
        '🞞◆◆◊🞠◖◗⯊⯋⯀⯁⬟⯂⬣⬢⯃⯄🞡🞢🞣🞤🞥🞦🞧🞨🞩🞪🞫🞬🞭🞮🞯🞰🞱🞲🞳🞴🞵🞶🞷🞸🞹🞺🞻🞼🞽🞾🞿🟀🟂🟄✦🟉🟊✶🟌🟎🟐🟒✹🟃🟇✯🟍🟔⯌⯍※⁂',
    ],
    [
      'wingdings 3',
      '←→↑↓↖↗↙↘⭰⭲⭱⭳⭶⭸⭻⭽⭤⭥⭪⭬⭫⭭⭍⮠⮡⮢⮣⮤⮥⮦⮧⮐⮑⮒⮓⮀⮃⭾⭿⮄⮆⮅⮇⮏⮍⮎⮌⭮⭯⎋⌤⌃⌥␣⍽⇪⮸🢠🢡🢢🢣🢤🢥🢦🢧🢨🢩🢪🢫←→↑↓↖' +
        '↗↙↘🡘🡙▲▼△▽◀▶◁▷◣◢◤◥◀▶▲ ▼▲▼◀▶◀▶▲▼←→↑↓←→↑↓←→↑↓←→↑↓←→↑↓←→↑↓←→↑↓🠠🠢🠤🠦🠨🠪🠬🢜🢝🢞🢟🠮🠰🠲🠴🠶' +
        '←→↑↓←→↑↓←→↑↓←→↑↓←→↑↓⮨⮩⮪⮫⮬⮭⮮⮯←→↑↓↖↗↙↘←→↑↓↖↗↙↘←→↑↓↖↗↙↘←→↑↓←→↑↓',
    ],
    [
      'webdings',
      '🕷🕸🕲🕶🏆🎖🖇🗨🗩🗰🗱🌶🎗🙾🙼🗕🗖🗗⏴⏵⏶⏷⏪⏩⏮⏭⏸⏹⏺🗚🗳🛠🏗🏘🏙🏚🏜🏭🏛🏠🏖🏝🛣🔍🏔👁👂🏞🏕🛤🏟🛳🕬🕫🕨🔈🎔🎕🗬🙽🗭🗪🗫⮔✔🚲□🛡📦🛱■🚑🛈🛩' +
        '🛰🟈🕴●🛥🚔🗘🗙❓🛲🚇🚍⛳⦸⊖🚭🗮⏐🗯🗲 🚹🚺🛉🛊🚼👽🏋⛷🏂🏌🏊🏄🏍🏎🚘🗠🛢💰🏷💳👪🗡🗢🗣✯🖄🖅🖃🖆🖹🖺🖻🕵🕰🖽🖾📋🗒🗓🕮📚🗞🗟🗃🗂🖼🎭🎜🎘🎙🎧💿🎞' +
        '📷🎟🎬📽📹📾📻🎚🎛📺💻🖥🖦🖧🕹🎮🕻🕼📟🖁🖀🖨🖩🖿🖪🗜🔒🔓🗝📥📤🕳🌣🌤🌥🌦☁🌨🌧🌩🌪🌬🌫🌜🌡🛋🛏🍽🍸🛎🛍Ⓟ♿🛆🖈🎓🗤🗥🗦🗧🛪🐿🐦🐟🐕🐈🙬🙮🙭🙯🗺🌍🌏🌎',
    ],
  ].map(([font = '', characters = '']) => [font, Array.from(characters)]),
);

const firstCode = 33;
/** Programs of Office move the codes of such fonts here, into the private use area. */
const privateStart = 0xf000;

/**
 * What this file exports. It is long, and loaded only where a document has such a font; it imports nothing, so that what
 * viewers share stays one file.
 */
export type SymbolFonts = typeof import('./symbol-fonts.ts');

/** Whether a font's letters are symbols. */
export function isSymbolFont(font: string | undefined): font is string {
  return font !== undefined && fonts.has(font.trim().toLowerCase());
}

/**
 * A text as it looks in a font of symbols, in characters that every device has. In any other font, or
 * in none, only codes of the private use area are such symbols: nearly always bullets of Symbol and Wingdings.
 */
export function symbolsIn(text: string, font: string | undefined): string {
  const isSymbols = isSymbolFont(font);
  return Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const isPrivate = code >= privateStart && code <= privateStart + 0xff;
    if (!isPrivate && !isSymbols) return character;
    const low = isPrivate ? code - privateStart : code;
    return shownBy(isSymbols ? font : low === 0xb7 ? 'symbol' : 'wingdings', low) ?? character;
  }).join('');
}

function shownBy(font: string, code: number): string | undefined {
  const character = fonts.get(font.trim().toLowerCase())?.[code - firstCode];
  return character === ' ' ? undefined : character;
}
