import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { ProjectType } from '../../../../../contract/fields.ts';
import { detectType } from '../../../../../core/content/detect-type.ts';
import { isShownAsText } from '../../../../../core/content/text-file.ts';
import { textMarkup } from '../../../../../web/pages/viewers/text-markup.ts';

/** The words of a file as its page shows it, and the whole markup. */
function pageOf(path: string, content: string | Buffer) {
  // These are code by their content.
  const type: ProjectType = /\.(?:dxf|vcs)$/.test(path) ? 'code' : detectType(path);
  const bytes = Buffer.from(content);
  expect(isShownAsText(type, { path, size: bytes.length })).toBe(true);
  const { kind, markup } = textMarkup({ path, type, bytes, isWhole: true });
  const words = markup
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&gt;', '>')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { kind, markup, words };
}

const hostile = '<img src=x onerror=alert(1)>';

describe('places', () => {
  const geojson = JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        properties: { name: 'North quay', metres: 120 },
        geometry: { type: 'Point', coordinates: [9.9, 53.5] },
      },
      {
        type: 'Feature',
        properties: { name: hostile },
        geometry: {
          type: 'Polygon',
          coordinates: [
            [
              [9, 53],
              [10, 53],
              [10, 54],
              [9, 53],
            ],
          ],
        },
      },
      { type: 'Feature', properties: null, geometry: null },
    ],
  });
  const topojson = JSON.stringify({
    type: 'Topology',
    transform: { scale: [0.5, 0.5], translate: [9, 53] },
    arcs: [
      [
        [0, 0],
        [2, 0],
        [0, 2],
      ],
    ],
    objects: {
      quays: {
        type: 'GeometryCollection',
        geometries: [
          { type: 'LineString', arcs: [0], properties: { name: 'North quay', metres: 120 } },
          { type: 'Polygon', arcs: [[-1]], properties: { name: hostile } },
        ],
      },
    },
  });
  const kml = `<?xml version="1.0"?><kml><Document><name>Quays</name><Placemark><name>North quay</name><description><![CDATA[<b>deep</b>]]></description><ExtendedData><Data name="metres"><value>120</value></Data></ExtendedData><Point><coordinates>9.9,53.5,0</coordinates></Point></Placemark><Placemark><name>&lt;img src=x onerror=alert(1)></name><Polygon><outerBoundaryIs><LinearRing><coordinates>9,53 10,53 10,54 9,53</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></Document></kml>`;
  const gpx = `<?xml version="1.0"?><gpx><wpt lat="53.5" lon="9.9"><name>North quay</name><desc>120</desc></wpt><trk><name>&lt;img src=x onerror=alert(1)></name><trkseg><trkpt lat="53" lon="9"/><trkpt lat="54" lon="9"/></trkseg></trk></gpx>`;

  test.each([
    ['a.geojson', geojson],
    ['a.topojson', topojson],
    ['a.kml', kml],
    ['a.gpx', gpx],
  ])('of %s are drawn and listed, without a foreign request', (path, content) => {
    const { kind, markup, words } = pageOf(path, content);
    expect(kind).toBe('markdown');
    expect(words).toContain('North quay');
    expect(words).toContain('120');
    expect(words).toContain('&lt;img src=x');
    expect(markup).not.toMatch(/<img src=x|https?:/);
    const [, svg = ''] = /data:image\/svg\+xml;base64,([^"]+)"/.exec(markup) ?? [];
    const drawing = Buffer.from(svg, 'base64').toString();
    expect(drawing).toMatch(/<(?:polygon|polyline) points="[\d., ]+"/);
    expect(drawing).not.toMatch(/NaN|Infinity/);
  });

  test('a track has its length', () => expect(pageOf('a.gpx', gpx).words).toContain('111.2 km'));

  test.each([
    ['a.geojson', '{"type":"Feature"'],
    ['a.geojson', '{"a":1}'],
    ['a.kml', 'no xml'],
    ['a.gpx', '<gpx></gpx>'],
  ])('%s that holds %j is shown as text', (path, content) => {
    expect(pageOf(path, content).kind).toBe('code');
  });
});

/** The picture in a page, and its paths as lists of numbers. */
function drawingOf(markup: string) {
  const [, packed = ''] = /src="data:image\/svg\+xml;base64,([^"]*)"/.exec(markup) ?? [];
  const svg = Buffer.from(packed, 'base64').toString();
  const paths = Array.from(svg.matchAll(/<path d="M([^"]*)"/g), ([, path = '']) =>
    path
      .split(/[L ]|Z/)
      .filter(Boolean)
      .map(Number),
  );
  return { svg, paths };
}

describe('a drawing', () => {
  const dxf = (
    ...records: readonly (readonly [string, Readonly<Record<number, string | number>>])[]
  ) =>
    records
      .map(([kind, groups]) =>
        [
          `0\r\n${kind}`,
          ...Object.entries(groups).map(([code, value]) => ` ${code}\r\n${value}`),
        ].join('\r\n'),
      )
      .join('\r\n');
  const plan = dxf(
    ['SECTION', { 2: 'BLOCKS' }],
    ['BLOCK', { 2: 'BUOY', 10: 1, 20: 1 }],
    ['CIRCLE', { 10: 1, 20: 1, 40: 0.5 }],
    ['INSERT', { 2: 'BUOY', 10: 1, 20: 1 }],
    ['ENDBLK', {}],
    ['ENDSEC', {}],
    ['SECTION', { 2: 'ENTITIES' }],
    ['LINE', { 10: 0, 20: 0, 11: 12, 21: 0 }],
    ['LINE', { 67: 1, 10: 0, 20: 0, 11: 99, 21: 99 }],
    ['POLYLINE', { 70: 1 }],
    ['VERTEX', { 10: 0, 20: 0 }],
    ['VERTEX', { 10: 12, 20: 0 }],
    ['VERTEX', { 10: 12, 20: 6 }],
    ['SEQEND', {}],
    ['INSERT', { 2: 'BUOY', 10: 6, 20: 3, 41: 2, 42: 2, 50: 90 }],
    ['TEXT', { 10: 1, 20: 5, 40: 0.05, 1: `%%c 12 ${hostile}` }],
    ['MTEXT', { 10: 1, 20: 4, 40: 0.5, 1: '{\\fArial|b1;North\\Pquay}' }],
    ['ENDSEC', {}],
    ['EOF', {}],
  );

  test('of AutoCAD has its lines, the blocks that it repeats, and its words', () => {
    const { kind, markup, words } = pageOf('plan.dxf', plan);
    expect(kind).toBe('markdown');
    expect(words).toBe(`Words in the drawing ⌀ 12 ${hostile.replace('<', '&lt;')} North quay`);
    expect(markup).not.toContain('<img src=x');
    const { svg, paths } = drawingOf(markup);
    const [line, around, ...buoys] = paths;
    expect(line).toEqual([16, 616, 1216, 616]);
    expect(around).toEqual([16, 616, 1216, 616, 1216, 16, 16, 616]);
    // A block within itself ends at a depth.
    expect(buoys.length).toBeGreaterThan(1);
    expect(buoys.length).toBeLessThan(10);
    const [buoy = []] = buoys;
    const xs = buoy.filter((_, at) => at % 2 === 0);
    expect([Math.min(...xs), Math.max(...xs)]).toEqual([516, 716]);
    expect(svg).toContain('North</tspan>');
    expect(svg).not.toContain('<img');
  });

  const shapes = [
    {
      type: 'rectangle',
      x: 0,
      y: 0,
      width: 100,
      height: 50,
      strokeColor: '#1971c2',
      backgroundColor: '#a5d8ff',
    },
    { type: 'ellipse', x: 0, y: 0, width: 100, height: 50, strokeColor: '" onload="alert(1)' },
    {
      type: 'arrow',
      x: 100,
      y: 25,
      points: [
        [0, 0],
        [100, 0],
      ],
      endArrowhead: 'arrow',
      strokeStyle: 'dashed',
    },
    { type: 'diamond', x: 0, y: 0, width: 10, height: 10, isDeleted: true },
    {
      type: 'text',
      x: 10,
      y: 10,
      width: 80,
      fontSize: 20,
      textAlign: 'center',
      text: `North\n${hostile}`,
    },
    { type: 'image', x: 0, y: 60, width: 20, height: 20, fileId: 'near' },
    { type: 'image', x: 0, y: 60, width: 20, height: 20, fileId: 'far' },
    { type: 'rectangle', x: 200, y: 100, width: 100, height: 20, angle: Math.PI / 2 },
    { type: 'line', x: null, points: 'none' },
  ];
  const files = {
    near: { dataURL: 'data:image/png;base64,iVBORw0KGgo=' },
    far: { dataURL: 'https://elsewhere.example/a.png' },
  };

  test('of Excalidraw has its shapes, pictures and words', () => {
    const { kind, markup, words } = pageOf(
      'plan.excalidraw',
      JSON.stringify({ type: 'excalidraw', elements: shapes, files }),
    );
    expect(kind).toBe('markdown');
    expect(words).toBe(`Words in the drawing North ${hostile.replace('<', '&lt;')}`);
    const { svg, paths } = drawingOf(markup);
    expect(paths[0]).toEqual([120, 16, 220, 16, 220, 66, 120, 66, 120, 16]);
    expect(paths).toHaveLength(5);
    expect(paths.at(-1)?.slice(0, 4)).toEqual([380, 76, 380, 176]);
    expect(svg).toContain('fill="#a5d8ff"');
    expect(svg).toContain('stroke-dasharray="8 6"');
    expect(svg.match(/<image /g)).toHaveLength(1);
    expect(svg).not.toMatch(/onload|elsewhere|<img/);
  });

  const cells = `<mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="2" value="North &lt;b&gt;quay&lt;/b&gt;&lt;br&gt;&amp;lt;img src=x&amp;gt;" style="rounded=1;fillColor=#dae8fc;strokeColor=&quot;x" vertex="1" parent="1"><mxGeometry x="0" y="0" width="200" height="100" as="geometry"/></mxCell>
<UserObject label="Pilot" id="3"><mxCell style="ellipse" vertex="1" parent="1"><mxGeometry x="400" y="0" width="100" height="100" as="geometry"/></mxCell></UserObject>
<mxCell id="4" value="" style="endArrow=none" edge="1" parent="1" source="2" target="3"><mxGeometry relative="1" as="geometry"/></mxCell>
<mxCell id="5" value="calls" style="edgeLabel" vertex="1" parent="4"><mxGeometry x="0.5" relative="1" as="geometry"/></mxCell>
<mxCell id="6" style="endArrow=none" edge="1" parent="1" source="7" target="7"/><mxCell id="7" vertex="1" parent="6"><mxGeometry relative="1"/></mxCell>`;
  const model = `<mxGraphModel><root>${cells}</root></mxGraphModel>`;
  const packed = deflateRawSync(encodeURIComponent(model)).toString('base64');

  test.each([
    ['plain', `<mxGraphModel><root>${cells}</root></mxGraphModel>`, 1],
    ['in a file', `<mxfile><diagram name="Port">${model}</diagram></mxfile>`, 1],
    [
      'packed, on two pages',
      `<?xml version="1.0"?>\n<mxfile><diagram name="Port">${packed}</diagram><diagram name="Sea">${packed}</diagram><diagram>no pack</diagram></mxfile>`,
      2,
    ],
  ])('of draw.io has its shapes, arrows and words: %s', (_, text, pages) => {
    const { kind, markup, words } = pageOf('plan.drawio', text);
    expect(kind).toBe('markdown');
    expect(markup.match(/<img /g)).toHaveLength(pages);
    expect(words).toContain('North quay &lt;img src=x> Pilot calls');
    expect(words.includes('Sea')).toBe(pages > 1);
    const { svg, paths } = drawingOf(markup);
    expect(paths[0]).toEqual([16, 16, 216, 16, 216, 116, 16, 116, 16, 16]);
    // From the rim of one shape to that of the other.
    expect(paths).toContainEqual([216, 66, 416, 66]);
    expect(svg).toContain('fill="#dae8fc"');
    expect(svg).not.toMatch(/<img|stroke=""/);
  });

  test.each([
    ['plan.drawio', '<svg/>'],
    ['plan.dxf', 'AutoCAD'],
    ['plan.excalidraw', '{"elements":[]}'],
    ['plan.excalidraw', '{"elements":'],
  ])('%s that is none is code', (path, text) => expect(pageOf(path, text).kind).toBe('code'));
});

test.each(['tides.vcs', 'tides.vcf'])('a calendar in the old form is shown, also as %s', (path) => {
  const { words } = pageOf(
    path,
    'BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nDTSTART:20050520T130000Z\nSUMMARY:Spring tide\nEND:VEVENT\nEND:VCALENDAR\n',
  );
  expect(words).toMatch(/Spring tide.*Friday, 20 May 2005/s);
});

test('contacts are cards, in old and new forms', () => {
  const { words, markup } = pageOf(
    'a.vcf',
    [
      'BEGIN:VCARD',
      'VERSION:4.0',
      'FN:Ann Quay',
      'ORG:Harbour;North',
      'item1.TEL;TYPE=work:tel:+49 40 1',
      'ADR;TYPE=home:;;1 Quay St\\, East;Hamburg;;20457;Germany',
      `NOTE:${hostile}`,
      'END:VCARD',
      'BEGIN:VCARD',
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BCller;J=C3=B6rg',
      'TEL;CELL:0123',
      'END:VCARD',
    ].join('\r\n'),
  );
  for (const part of [
    'Ann Quay',
    'Harbour, North',
    'Telephone (work) +49 40 1',
    '1 Quay St, East Hamburg 20457 Germany',
    'Jörg Müller',
    'Telephone (cell) 0123',
  ])
    expect(words).toContain(part);
  expect(markup).not.toContain('<img');
});

describe('a mail', () => {
  const mail = (type: string, body: string) =>
    [
      'From: =?UTF-8?B?SsO2cmc=?= <j@example.org>',
      'To: ann@example.org',
      'Subject: =?iso-8859-1?Q?Gr=FC=DFe_vom?=',
      ' =?UTF-8?Q?_Kai?=',
      'Date: Mon, 2 Mar 2026 09:00:00 +0100',
      `Content-Type: ${type}`,
      '',
      body,
    ].join('\r\n');

  test('has its headers, its text and the names of its attachments', () => {
    const { words, markup } = pageOf(
      'a.eml',
      mail(
        'multipart/mixed; boundary="x"',
        [
          '--x',
          'Content-Type: multipart/alternative; boundary=y',
          '',
          '--y',
          'Content-Type: text/plain; charset=utf-8',
          'Content-Transfer-Encoding: quoted-printable',
          '',
          'Die Flut kommt sp=C3=A4=',
          'ter.',
          '--y',
          'Content-Type: text/html',
          '',
          '<b>html</b>',
          '--y--',
          '--x',
          'Content-Type: application/pdf; name="plan.pdf"',
          'Content-Disposition: attachment; filename="plan.pdf"',
          'Content-Transfer-Encoding: base64',
          '',
          'AAAA',
          '--x--',
        ].join('\r\n'),
      ),
    );
    for (const part of [
      'Grüße vom Kai',
      'Jörg &lt;j@example.org>',
      'Die Flut kommt später.',
      'plan.pdf (3 bytes)',
    ])
      expect(words).toContain(part);
    expect(markup).not.toContain('html</b>');
  });

  test('of HTML is harmless', () => {
    const { markup } = pageOf(
      'a.eml',
      mail(
        'text/html',
        `<p onclick="x()">Tide</p>${hostile}<script>x()</script><img src="https://a.example/b.png">`,
      ),
    );
    expect(markup).toContain('Tide');
    expect(markup).not.toMatch(/onclick|onerror|<script|src="https/);
  });
});

const facts = ['From: a@example.com', 'To: b@example.com', 'Subject: Tide'];
const splitMail = (kind: string, ...parts: string[][]) =>
  [
    ...facts,
    `Content-Type: multipart/${kind}; boundary="${kind}-1"`,
    '',
    ...parts.flatMap((part) => [`--${kind}-1`, ...part]),
    `--${kind}-1--`,
  ].join('\n');
const coded = 'Content-Transfer-Encoding: base64';

test('a mail has all its texts, of alternatives one, and what the others have beside them', () => {
  const plain = (text: string) => ['Content-Type: text/plain', '', text];
  const html = (text: string) => ['Content-Type: text/html', '', `<p>${text}</p>`];
  const picture = ['Content-Type: image/png; name="quay.png"', coded, '', 'iVBORw0KGgo='];
  const other = splitMail('mixed', html('no'), picture, html('no')).split('\n').slice(3);
  const invitation = [
    'Content-Type: text/calendar; method=REQUEST',
    '',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Walk\nEND:VEVENT\nEND:VCALENDAR',
  ];
  expect(pageOf('a.eml', splitMail('mixed', plain('One'), plain('Two'))).words).toMatch(/One Two$/);
  const { words, markup } = pageOf(
    'a.eml',
    splitMail('alternative', plain('Yes'), other, invitation),
  );
  expect(words).toMatch(/ Yes Walk Attachments quay.png \(8 bytes\)$/);
  expect(markup).toContain('<img src="data:image/png;base64,iVBORw0KGgo=" alt="quay.png">');
});

test('a page of a mail has its pictures in place, and is taken for them instead of its words', () => {
  const data = 'iVBORw0KGgo=';
  const picture = (id: string) => [
    `Content-Type: image/png; name="${id}.png"`,
    `Content-ID: <${id}@x>`,
    `${coded}\n\n${data}`,
  ];
  const page = '<p>See</p><img src="cid:one@x"><p>and</p><img src="cid:none@x" alt="Ship">';
  const alternatives = splitMail(
    'alternative',
    ['Content-Type: text/plain', '', 'See [cid:one@x]'],
    ['Content-Type: text/html', '', page],
  );
  const other = alternatives.split('\n').slice(3);
  const { words, markup } = pageOf(
    'a.eml',
    splitMail('mixed', other, picture('one'), picture('two')),
  );
  expect(words).toMatch(/ See and Ship Attachments one.png \(8 bytes\) two.png \(8 bytes\)$/);
  expect(markup.match(/<img[^>]*>/g)).toEqual([
    `<img src="data:image/png;base64,${data}">`,
    `<img src="data:image/png;base64,${data}" alt="two.png">`,
  ]);
  const many = `<img src="cid:one@x">`.repeat(100_000);
  const large = splitMail('mixed', ['Content-Type: text/html', '', many], picture('one'));
  expect(pageOf('a.eml', large).markup.length).toBeLessThan(3_000_000);
});

test.each([
  ["filename*=utf-8''Gr%C3%BC%C3%9Fe.pdf", 'Grüße.pdf'],
  ["filename*0*=UTF-8''Gr%C3%BC;\n filename*1*=%C3%9Fe;\n filename*2=.pdf", 'Grüße.pdf'],
  ['filename="=?utf-8?Q?Gr=C3=BC=C3=9Fe?=.pdf"', 'Grüße.pdf'],
  ['filename*0="long";\n filename*1="er.pdf"', 'longer.pdf'],
])('an attachment of %s is %s', (name, shown) => {
  const part = ['Content-Type: application/pdf', `Content-Disposition: attachment; ${name}`];
  const text = ['Content-Type: text/plain', '', 'x'];
  const { words } = pageOf('a.eml', splitMail('mixed', text, [...part, coded, '', 'AAAA']));
  expect(words).toMatch(new RegExp(`Attachments ${shown} `));
});

test.each([
  ['windows-1252', Buffer.from('Grüße vom Kai', 'latin1'), 'Grüße vom Kai'],
  ['iso-2022-jp', Buffer.from('\u001B$B$3$l\u001B(B'), 'これ'],
  ['iso-8859-1', Buffer.from('Grüße in UTF-8'), 'Grüße in UTF-8'],
])('words of a mail in %s, without a coding, are read once', (charset, bytes, shown) => {
  const head = [...facts, `Content-Type: text/plain; charset=${charset}`, '', ''].join('\n');
  expect(pageOf('a.eml', Buffer.concat([Buffer.from(head), bytes])).words).toContain(shown);
});

test('lines that flow are one, and pictures that only count readers are nothing', () => {
  const flowed = [
    ...facts,
    'Content-Type: text/plain; format=flowed',
    '',
    'It \ngoes on\n-- \nKai',
  ];
  expect(pageOf('a.eml', flowed.join('\n')).markup).toContain('It goes on<br>-- <br>Kai');
  const page =
    '<p>Sale</p><img src="https://a.example/t.gif?id=1" width=1><img alt="Ship" src="https://a.example/s.png">';
  const { words } = pageOf('a.eml', [...facts, 'Content-Type: text/html', '', page].join('\n'));
  expect(words).toMatch(/ Sale Ship$/);
});

test.each([
  ['a draft', 'To: b@example.com\nSubject: Tide\n\nAt nine'],
  ['a mail without its date', 'From: a@example.com\nSubject: Tide\n\nAt nine'],
])('%s is a mail', (_, text) => {
  expect(pageOf('a.eml', text).words).toMatch(/^Tide .* At nine$/);
});

test('a text with one of its fields is none', () => {
  expect(pageOf('a.eml', 'Subject: Tide\n\nAt nine').kind).toBe('code');
});

test('a box of mails shows each of them, and a mail is shown from its beginning on', () => {
  const mail = (subject: string) =>
    `From x@example.com Mon Mar  2 09:00:00 2026\nFrom: a@example.com\nTo: b@example.com\nSubject: ${subject}\n\nFrom here on\n\n`;
  expect(pageOf('a.mbox', mail('One') + mail('Two')).words).toMatch(
    /^One .* From here on Two .* From here on$/,
  );
  expect(pageOf('a.emlx', `120   \n${facts.join('\n')}\n\nAt nine`).words).toMatch(/At nine$/);
  const bytes = Buffer.from(`${facts.join('\n')}\n\nAt nine`);
  const { markup } = textMarkup({ path: 'a.eml', type: 'code', bytes, isWhole: false });
  expect(markup).toMatch(/At nine.*The rest of this file is left out/s);
});

test('a contact has its picture, and what telephones say of it', () => {
  const photo = 'PHOTO;ENCODING=b;TYPE=JPEG:/9j/\n AAAA';
  const other = 'PHOTO:https://a.example/p.jpg';
  const card = (...lines: string[]) =>
    `BEGIN:VCARD\nFN:Ann "A" B\n${lines.join('\n')}\nEND:VCARD\n`;
  const { markup, words } = pageOf(
    'a.vcf',
    card(
      photo,
      'NICKNAME:Annie',
      'BDAY;X-APPLE-OMIT-YEAR=1604:1604-05-01',
      'item1.TEL;type=CELL;type=VOICE;type=pref:1',
    ) + card(other),
  );
  expect(markup.match(/<img [^>]*>/g)).toEqual([
    '<img src="data:image/jpeg;base64,/9j/AAAA" alt="Ann &quot;A&quot; B">',
  ]);
  expect(words).toContain('Nickname Annie Telephone (cell) 1 Birthday 05-01');
});

test('tracks of sports watches, places nowhere and metres of surveyors are shown', () => {
  const point = (north: number) =>
    `<Trackpoint><Position><LatitudeDegrees>${north}</LatitudeDegrees><LongitudeDegrees>10</LongitudeDegrees></Position></Trackpoint>`;
  const tcx = `<TrainingCenterDatabase><Activity Sport="Running"><Id>2026-03-01</Id><Track>${point(54)}${point(54.1)}</Track></Activity></TrainingCenterDatabase>`;
  expect(pageOf('a.tcx', tcx).words).toMatch(/Running Line 11.1 km 2026-03-01$/);
  const feature = (name: string, geometry: object | null) => ({
    type: 'Feature',
    properties: { name },
    geometry,
  });
  const line = {
    type: 'LineString',
    coordinates: [
      [565_000, 5_930_000],
      [566_000, 5_931_000],
    ],
  };
  const { words, markup } = pageOf(
    'a.geojson',
    JSON.stringify({
      type: 'FeatureCollection',
      features: [feature('Quay', line), feature('Nowhere', null)],
    }),
  );
  expect(words).toBe('Name Kind Quay Line Nowhere');
  expect(markup).toMatch(/width="824" height="824"/);
});

test.each(['a.xml', 'a.dio'])('a drawing of draw.io named %s is drawn', (path) => {
  const drawing =
    '<mxGraphModel><root><mxCell id="2" value="Quay" vertex="1"><mxGeometry width="9" height="9"/></mxCell></root></mxGraphModel>';
  expect(pageOf(path, drawing).words).toMatch(/Quay$/);
});

test('a diagram with the fence of Markdown is drawn', () => {
  expect(pageOf('a.mmd', '```mermaid\ngraph TD\n a\n```\n').words).toBe('graph TD a');
});

test('a rich text is set, in its code page, without what is hidden', () => {
  const { words, markup, kind } = pageOf(
    'a.rtf',
    String.raw`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0 Arial;}}{\*\generator X;}{\info{\title no}}\b Tide\b0  table\par \'cf\'f0\'e8\'eb\'e8\'e2 \u8364?5 {\i soft}\par a\cell b\row {\header 00ff}<img src=x>}`,
  );
  expect(kind).toBe('markdown');
  expect(words).toMatch(/^Tide table Прилив €5 soft a\s+b\s*&lt;img src=x>$/);
  expect(markup).toContain('<td>a</td><td>b</td>');
  expect(markup).toContain('<strong>Tide</strong>');
});

test('a mail shows the mails that are forwarded in it, one in another', () => {
  const forward = (subject: string, text: string, inner: string) =>
    [
      'From: a@example.com',
      'To: b@example.com',
      `Subject: ${subject}`,
      `Content-Type: multipart/mixed; boundary=${subject}`,
      '',
      `--${subject}`,
      'Content-Type: text/plain',
      '',
      text,
      `--${subject}`,
      'Content-Type: message/rfc822; name="old.eml"',
      '',
      inner,
      `--${subject}--`,
    ].join('\n');
  const oldest = 'From: c@example.com\nTo: a@example.com\nSubject: Tide\n\nAt nine.';
  const { words, markup } = pageOf(
    'a.eml',
    forward('One', 'Please see.', forward('Two', 'As I wrote.', oldest)),
  );
  expect(words).toMatch(
    /^One .*Please see\..* Two .*As I wrote\..* Tide .*c@example.com.* At nine\.$/,
  );
  expect(markup.match(/<blockquote>/g)).toHaveLength(2);
});

test('lines of JSON are a table', () => {
  const { words } = pageOf(
    'a.jsonl',
    `{"ship":"Tern","metres":62}\n{"ship":${JSON.stringify(hostile)},"port":{"a":1}}\n`,
  );
  expect(words).toBe('ship metres port Tern 62 &lt;img src=x onerror=alert(1)> {"a":1}');
  expect(pageOf('a.jsonl', '{"a":1}\n[1]\n').kind).toBe('code');
});

test('an event has its duration, and the times at which it does not take place', () => {
  const { words } = pageOf(
    'a.ics',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tide\nDTSTART:20260301T090000\nDURATION:P1DT2H30M\nRRULE:FREQ=WEEKLY\nEXDATE:20260308T090000,20260315T090000\nEND:VEVENT\nEND:VCALENDAR',
  );
  expect(words).toContain('Lasts 1 day, 2 hours, 30 minutes');
  expect(words).toMatch(/Except Sunday, 8 March 2026, 09:00.* Sunday, 15 March 2026, 09:00/);
});

test('an event that was moved says from when, and tells its clock to the page', () => {
  const { words, markup } = pageOf(
    'a.ics',
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tide\nRECURRENCE-ID:20260301T090000\nDTSTART;TZID=Europe/Berlin:20260302T090000\nEND:VEVENT\nEND:VCALENDAR',
  );
  expect(words).toMatch(
    /When Monday, 2 March 2026, 09:00.* Instead of Sunday, 1 March 2026, 09:00/,
  );
  expect(markup).toContain('<tr data-clock="2026-03-02T09:00" data-zone="Europe/Berlin">');
});

test('a calendar may begin with empty lines', () => {
  expect(
    pageOf('a.ics', '\n\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Tide\nEND:VEVENT\nEND:VCALENDAR')
      .kind,
  ).toBe('markdown');
});

test.each(['a.Rmd', 'a.qmd'])('a report of R named %s is a text with code', (path) => {
  const { markup } = pageOf(
    path,
    '---\ntitle: Tides\n---\n# Ebb\n```{r a, echo=FALSE}\nx <- 1\n```\n',
  );
  expect(markup).toMatch(/<h1[^>]*>.*Ebb.*<\/h1>/s);
});
