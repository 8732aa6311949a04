/** Letters 0x80 to 0xFF of the code pages of DOS that `TextDecoder` does not have. */
const dosLetters = {
  cp437:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  cp850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  cp852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  cp857:
    'ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\ufffdÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµ\ufffd×ÚÛÙìÿ¯´\u00ad±\ufffd¾¶§÷¸°¨·¹³²■\u00a0',
  cp737:
    'ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\u00a0',
  cp862:
    'אבגדהוזחטיךכלםמןנסעףפץצקרשת¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
} as const;

/** The frequent characters of each writing, in names of files and folders and in texts. */
const frequent = {
  japanese: new Set(
    '日本語国人大年中出一上生分高時行学会自社発者地業方新場部動力東事定手米対法主下京前内立問市家関全体作的実同話目長通政気円田書表成数化機画像真写資料版第回最後号名取入用説明文案料見面店所報告品物計小計算山川木間金電車道図音楽集録編映校員会議議事録履歴契約約請求設定概要仕様製造検証試験',
  ),
  simplified: new Set(
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运首页图片资料测试说明文档文件夹新建照片音乐视频下载样式脚本网站版本备份模板简历合同项目报告用户手册数据源码素材产品介绍关于联系我们目录封面背景广告课程毕业论笔称编号址价单额姓龄省县街港潮',
  ),
  traditional: new Set(
    '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命山金指統區保至形社便空決治展科司五基書非則聽白界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊交規萬取格望覺術領共確傳師觀清今切院讓識候帶導爭運首頁圖片資料測試說明檔案資料夾新增照片音樂影片下載樣式網站版本備份範本簡歷專案報告使用者手冊產品介紹關於聯絡我們圖像灣臺軍戰爾許隊馬張該編號稱額址價',
  ),
  korean: new Set(
    '이다는의에가을를은고하한지서사로나기도자어시리인대정아그수해일전제보만부라니안스들주장과게여있상우면구소원공것적동관문성모비조세진야국들러거트으경오무마생신장미요중개위유바선방교내용당회화년력파치물음차체식분단발행복실질학연본성업계산법제출출력물집법률민간간단명령입력되었던저터드프레임페이지홈그림사진문서파일폴더새자료한글이미지음악영상설명서보고서계획회의록견적계약이력서안녕세테스트결과최종수정본목록글였했며및월금호번양운습까와말할된될름르카항',
  ),
  cyrillic: new Set('оеаинтсрвл'),
  greek: new Set('αοιετσνηυρ'),
  hebrew: new Set('יוהלארתבשמ'),
  arabic: new Set('اليمنرتوبع'),
  thai: new Set('านรอกเงมย่้ัีิ'),
  western: new Set('éèàçäöüßñóáíúêâîôûëïœæøåãõÉÄÖÜÀÇÑØÅÆÊÁÓÍÚ'),
  central: new Set('ąćęłńóśźżáčďéěíňřšťúůýžőűöüäôĺľŕăâîşţđŁŚŻŹČŠŽŘŐŰÁÉÍÓÚÝĄĆĘŃ'),
  polish: new Set('ąćęłńóśźżĄĆĘŁŃÓŚŹŻ'),
  czech: new Set('áčďéěíňóřšťúůýžäôĺľŕćđÁČĎÉĚÍŇÓŘŠŤÚŮÝŽĽĆĐ'),
  turkish: new Set('ığşİçöüğĞŞÖÜÇâî'),
} as const;

type Writing = keyof typeof frequent;

/**
 * Decodes bytes strictly; `undefined` if they are not valid in the encoding.
 * @param cut whether the last character may be incomplete
 */
type Decode = (bytes: Uint8Array, cut?: boolean) => string | undefined;

/** An encoding, and the writing of those who use it. */
export interface CodePage {
  /** As `TextDecoder` takes it; the pages of DOS have names of their own. */
  name: string;
  decode: Decode;
  writing: Writing;
}

/** The code pages that `TextDecoder` has. The likelier ones first: they win where nothing speaks for another. */
export const standardPages: readonly CodePage[] = [
  standard('windows-1252', 'western'),
  ...(['polish', 'czech'] as const).flatMap((writing) => [
    standard('windows-1250', writing),
    standard('iso-8859-2', writing),
  ]),
  standard('windows-1250', 'central'),
  standard('windows-1254', 'turkish'),
  standard('shift_jis', 'japanese'),
  standard('gb18030', 'simplified'),
  standard('big5', 'traditional'),
  standard('euc-kr', 'korean'),
  standard('euc-jp', 'japanese'),
  standard('ibm866', 'cyrillic'),
  standard('windows-1251', 'cyrillic'),
  standard('koi8-u', 'cyrillic'),
  standard('windows-1253', 'greek'),
  standard('windows-1255', 'hebrew'),
  standard('windows-1256', 'arabic'),
  standard('iso-8859-6', 'arabic'),
  standard('iso-8859-5', 'cyrillic'),
  standard('windows-874', 'thai'),
  standard('macintosh', 'western'),
];

/** The code page of the first PCs, which reads any bytes. */
export function cp437(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => dosCharacter(dosLetters.cp437, byte)).join('');
}

/** The code pages of DOS. */
export const dosPages: readonly CodePage[] = [
  dosPage('cp437', 'western'),
  dosPage('cp850', 'western'),
  dosPage('cp852', 'central'),
  dosPage('cp857', 'turkish'),
  dosPage('cp737', 'greek'),
  dosPage('cp862', 'hebrew'),
];

/**
 * The page in which all these bytes together look most like a language: nearly all letters beyond ASCII are frequent
 * ones. Read in another page, the same bytes give rare letters, and signs within words.
 * @returns `undefined` where no page has a score above zero; a score is at most 1
 */
export function likeliestPage(
  samples: readonly Uint8Array[],
  { pages, cut = false }: { pages: readonly CodePage[]; cut?: boolean },
): { page: CodePage; score: number } | undefined {
  const bytes = samples.reduce((sum, one) => sum + one.filter((byte) => byte >= 0x80).length, 0);
  let best: { page: CodePage; score: number } | undefined;
  const decoded = new Map<string, (string | undefined)[]>();
  for (const page of pages) {
    const texts = decoded.get(page.name) ?? samples.map((one) => page.decode(one, cut));
    decoded.set(page.name, texts);
    const score = scoreOf(texts, page.writing) / bytes;
    if (score > (best?.score ?? 0)) best = { page, score };
  }
  return best;
}

/** Whether the letters beyond ASCII form words of one alphabet; bytes that are UTF-8 by chance form none. */
export function hasWords(text: string): boolean {
  const count = Array.from(text).filter((character) => character >= '\u0080').length;
  return alphabets.some((writing) => scoreOf([text], writing) / count >= 0.5);
}

function scoreOf(texts: readonly (string | undefined)[], writing: Writing): number {
  let score = 0;
  for (const text of texts) {
    if (text === undefined) return -Infinity;
    const characters = Array.from(text);
    characters.forEach((character, at) => {
      // The second byte of a character in Shift JIS, GBK or Big5.
      if (character === '\\' && (characters[at - 1] ?? '') >= '\u0080') score -= 1;
      if (character < '\u0080') return;
      const around = [characters[at - 1] ?? '', characters[at + 1] ?? ''] as const;
      score += scoreOfCharacter(character, around, writing);
    });
  }
  return score;
}

type Around = readonly [before: string, after: string];

/** Up to 1 for each byte that the character has in its encoding. */
function scoreOfCharacter(character: string, around: Around, writing: Writing): number {
  if (isWide(writing)) return 2 * scoreOfWide(character, around, writing);
  const [before] = around;
  if (marks.test(character)) return /\p{L}/u.test(before) && character !== '’' ? 0 : 0.8;
  if (!letters[writing].test(character)) return -1;
  if (/\p{Lu}/u.test(character) && /\p{Ll}/u.test(before)) return -0.5;
  return isLatin(writing)
    ? scoreOfLatin(character, around, writing)
    : scoreOfAlphabet(character, around, writing);
}

/** Letters with accents stand among letters without: a row of them is another alphabet. */
function scoreOfLatin(character: string, around: Around, writing: Writing): number {
  const [before] = around;
  if (character === 'ß' && !/[aeiouyäöü]/i.test(before)) return -0.5;
  const most = frequent[writing].has(character) ? 1 : isOfOneLanguage(writing) ? 0 : 0.7;
  if (around.some((one) => latinLetter.test(one))) return most;
  return around.some((one) => latinWithAccent.test(one)) ? 0.2 : most - 0.3;
}

/** No word has letters of two alphabets. */
function scoreOfAlphabet(character: string, around: Around, writing: Writing): number {
  if (around.some((one) => latinLetter.test(one))) return -1;
  if (character === 'ς' && /\p{L}/u.test(around[1])) return -1;
  if (rareLetter.test(character)) return 0.2;
  const isAlone = !around.some((one) => letters[writing].test(one));
  return (frequent[writing].has(character) && !isAlone ? 1 : 0.6) * (likelihood[writing] ?? 1);
}

/** Rarer than what the same bytes are in another code page; almost any bytes are letters of Thai. */
const likelihood: Partial<Record<Writing, number>> = { greek: 0.95, hebrew: 0.93, thai: 0.8 };

/** Letters that are rare in Russian and Greek; their bytes are frequent letters of other alphabets. */
const rareLetter = /[фцшщэюъёζξψθχβ]/i;
const latinLetter = /[A-Za-z]/;
const latinWithAccent = /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f]/u;
const marks = /[“”„‘’«»–—…€£§©®°•·№¿¡\u00A0ºª™]/;

type WideWriting = 'japanese' | 'simplified' | 'traditional' | 'korean';

const letters: Record<Writing, RegExp> = {
  japanese: /[\p{scx=Hira}\p{scx=Kana}\p{scx=Han}]/u,
  simplified: /\p{scx=Han}/u,
  traditional: /\p{scx=Han}/u,
  korean: /\p{scx=Hangul}/u,
  cyrillic: /\p{scx=Cyrillic}/u,
  greek: /\p{scx=Greek}/u,
  hebrew: /\p{scx=Hebrew}/u,
  arabic: /\p{scx=Arabic}/u,
  thai: /\p{scx=Thai}/u,
  western: latinWithAccent,
  central: latinWithAccent,
  polish: latinWithAccent,
  czech: latinWithAccent,
  turkish: latinWithAccent,
};

const alphabets = [
  'western',
  'central',
  'turkish',
  'cyrillic',
  'greek',
  'hebrew',
  'arabic',
] as const;

function isLatin(writing: Writing): boolean {
  return letters[writing] === latinWithAccent;
}

/** These letters are all that such a language has: what all of them explain wins over a mixture of languages. */
function isOfOneLanguage(writing: Writing): boolean {
  return writing === 'polish' || writing === 'czech';
}

function isWide(writing: Writing): writing is WideWriting {
  return ['japanese', 'simplified', 'traditional', 'korean'].includes(writing);
}

function scoreOfWide(character: string, [before, after]: Around, writing: WideWriting): number {
  // One byte each in Shift JIS; private use stands for what is not assigned.
  if (/[\uff61-\uff9f]/.test(character)) return 0.1;
  if (/[\ue000-\uf8ff]|\p{Cc}|[\u0370-\u04ff\u2500-\u257f]/u.test(character)) return -0.5;
  if (latinLetter.test(before) && latinLetter.test(after)) return 0;
  if (/[\u3000-\u303f\uff01-\uff60・ー]/.test(character)) return 0.5;
  if (!letters[writing].test(character)) return 0;
  if (writing === 'japanese' && /[\u3041-\u30fe]/.test(character)) return 1;
  if (frequent[writing].has(character)) return 1;
  return writing === 'korean' ? 0.4 : 0.3;
}

function standard(name: string, writing: Writing): CodePage {
  const decode: Decode = (bytes, cut = false) => {
    try {
      return decodeWhole(bytes, name, { cut, fatal: true });
    } catch {
      return undefined;
    }
  };
  return { name, decode, writing };
}

/** Decodes in two steps, because Node 20 reads Windows-1252 as Latin 1 when it is done in one. */
export function decodeWhole(
  bytes: Uint8Array,
  encoding: string,
  { cut, fatal }: { cut: boolean; fatal: boolean },
): string {
  const decoder = new TextDecoder(encoding, { fatal });
  const text = decoder.decode(bytes, { stream: true });
  return cut ? text : text + decoder.decode();
}

function dosPage(name: keyof typeof dosLetters, writing: Writing): CodePage {
  const character = (byte: number) => dosCharacter(dosLetters[name], byte);
  return { name, decode: (bytes) => Array.from(bytes, character).join(''), writing };
}

function dosCharacter(high: string, byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : (high[byte - 0x80] ?? '');
}
