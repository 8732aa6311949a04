import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, defaultTreeAdapter as tree, html, parse } from 'parse5';
import { editPage, isDocument } from '../../../../core/page-edits/edit-page.ts';
import type { PageHead } from '../../../../core/page-edits/page-head.ts';
import { proofSize } from '../../../fixtures/proof-size.ts';

jest.setTimeout(600_000);

type Node = DefaultTreeAdapterMap['node'];

const markup = `
<!doctype html>|<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "">|<?xml?>|<html>|</html>
<html lang="en">|<head>|<HEAD id=h>|</head>|<body>|</body>|<title>|</title>|<title>T</title>
<base href="/b/">|<meta charset="utf-8">|<meta http-equiv=content-type content="text/html">
<meta name=description content="d">|<meta name=robots content=all>|<link rel=a>
<meta property="og:image" content="i">|<script>|</script>|<script>"</head>"</script>|<style>
</style>|<noscript>|</noscript>|<template>|</template>|<svg>|</svg>|<math>|<textarea>|</textarea>
<!--|-->|--!>|<!-->|<!--->|<!--[if IE]>|<![endif]-->|<!|<![CDATA[|]]>|<|>|"|'|=|/|&amp;|&|</|<p
<p>|</p>|<br>|</br>|<frameset>|<noframes>|</noframes>|<select>|<table>|<pre>|<plaintext>|a|é|💡`;
const piece = fc.constantFrom(
  ...markup.split(/[|\n]/).filter((part) => part !== ''),
  ...[' ', '\n', '\r\n', '\r', '\t', '\ufeff'].values(),
);
const page = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.oneof({ weight: 6, arbitrary: piece }, fc.string()), { maxLength: 25 }),
  )
  .map(([marked, pieces]) => (marked ? '\ufeff' : '') + pieces.join(''));

const added: PageHead = {
  noIndex: true,
  preview: { url: 'https://added.test/', title: 'Added', oEmbedUrl: 'https://added.test/o' },
  script: 'https://added.test/s',
};

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const edit = (text: string, head: PageHead) => decode(editPage(Buffer.from(text), head));

describe('a page of arbitrary bytes', () => {
  test('parses to the same tree except for the insertion', () => {
    fc.assert(
      fc.property(page, (text) => {
        fc.pre(!isCutOff(text));
        const before = decode(Buffer.from(text));
        const after = edit(text, added);
        expect(drawn(parse(after), isAdded)).toBe(drawn(parse(before), isAdded));
      }),
      { numRuns: proofSize({ short: 600, whole: 3000 }) },
    );
  });

  test('has the insertion in its head, unless it is not edited', () => {
    fc.assert(
      fc.property(page, (text) => {
        const after = edit(text, added);
        if (after === decode(Buffer.from(text))) return expect(isLeftAlone(text)).toBe(true);
        const head = elements(parse(after)).find(({ tagName }) => tagName === 'head');
        const inHead = head === undefined ? [] : elements(head).filter(isAdded);
        return expect(inHead.map(({ tagName }) => tagName)).toContain('script');
      }),
      { numRuns: proofSize({ short: 400, whole: 2000 }) },
    );
  });

  test('has its original bytes again when the insertion is removed', () => {
    fc.assert(
      fc.property(page, (text) => {
        const bytes = Buffer.from(text);
        const after = Buffer.from(editPage(bytes, added)).toString('latin1');
        const without = after
          .replace(
            /<meta name="robots" content="noindex">(?:<meta \w+="[^"]*" content="[^"]*">)*<link rel="alternate"[^>]*>/,
            '',
          )
          .replace(/<script src="https:\/\/added.test\/s" async><\/script>/, '');
        expect(without).toBe(bytes.toString('latin1'));
      }),
      { numRuns: proofSize({ short: 400, whole: 2000 }) },
    );
  });

  test('shows the title of its project, however many title tags it has', () => {
    fc.assert(
      fc.property(page, (text) => {
        const after = edit(text, { title: 'Added & done' });
        if (isLeftAlone(text)) return;
        const [title] = elements(parse(after)).filter(isTitle);
        expect(title?.childNodes.map((node) => ('value' in node ? node.value : ''))).toEqual([
          'Added & done',
        ]);
      }),
      { numRuns: proofSize({ short: 400, whole: 2000 }) },
    );
  });
});

describe('a page of arbitrary bytes, without a title set by the owner', () => {
  const titleOf = (text: string) => {
    const [title] = elements(parse(text)).filter(isTitle);
    return (
      title?.childNodes
        .map((node) => ('value' in node ? node.value : ''))
        .join('')
        .trim() ?? ''
    );
  };

  test('keeps its own title, and otherwise shows its project’s or none', () => {
    fc.assert(
      fc.property(page, (text) => {
        const before = titleOf(decode(Buffer.from(text)));
        const after = titleOf(edit(text, { ...added, fallbackTitle: 'Added & done' }));
        // Where a drawing ends is only guessed, because its end depends on all elements before it.
        if (!/svg/i.test(text)) {
          expect(before === '' ? ['', 'Added & done'] : [before]).toContain(after);
        }
        const isSimple = !isLeftAlone(text) && !isCutOff(text) && !/title/i.test(text);
        if (isSimple) expect(after).toBe('Added & done');
      }),
      { numRuns: proofSize({ short: 600, whole: 3000 }) },
    );
  });
});

/** It is a fragment, or may be in an encoding that does not extend ASCII. */
function isLeftAlone(text: string): boolean {
  return !isDocument(text) || text.includes('\0') || text.includes('\x1b');
}

/** A comment or doctype that nobody ends takes in all that follows: tags can only stand before it. */
function isCutOff(text: string): boolean {
  const holdsMark = (node: Node): boolean =>
    tree.isCommentNode(node)
      ? node.data.includes('cut off')
      : 'childNodes' in node && node.childNodes.some(holdsMark);
  return /<![^>]*$/.test(text) || holdsMark(parse(`${text}cut off`));
}

type Element = DefaultTreeAdapterMap['element'];

/** In the order of the document; what stands in a template is no part of it. */
function elements(node: Node): Element[] {
  const own = tree.isElementNode(node) ? [node] : [];
  const children = 'childNodes' in node ? node.childNodes : [];
  return [...own, ...children.flatMap(elements)];
}

function isTitle({ tagName, namespaceURI }: Element): boolean {
  return tagName === 'title' && namespaceURI === html.NS.HTML;
}

const contents = ['noindex', 'Added', 'website', 'https://added.test/', 'summary'];

function isAdded(node: Node): boolean {
  if (!tree.isElementNode(node)) return false;
  const value = (name: string) => node.attrs.find((attr) => attr.name === name)?.value;
  if (node.tagName === 'meta') {
    const isOurs = /^(?:og:|twitter:|robots$)/.test(value('property') ?? value('name') ?? '');
    // The page's own title stands in `og:title`.
    return (
      isOurs && (contents.includes(value('content') ?? '') || value('property') === 'og:title')
    );
  }
  return /added\.test/.test(value('src') ?? value('href') ?? '');
}

/** A tree as text, without the nodes that `leaves` says; neighbouring texts are one. */
function drawn(node: Node, leaves: (node: Node) => boolean): string {
  if (tree.isTextNode(node)) return node.value;
  if (tree.isCommentNode(node)) return `<!--${node.data}-->`;
  if (tree.isDocumentTypeNode(node)) return `<!${node.name} ${node.publicId} ${node.systemId}>`;
  const inside = ('content' in node ? [node.content] : node.childNodes)
    .filter((child: Node) => !leaves(child))
    .map((child: Node) => drawn(child, leaves))
    .join('');
  if (!tree.isElementNode(node)) return 'mode' in node ? `${node.mode}:${inside}` : inside;
  const attrs = node.attrs.map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`).join('');
  return `<${node.tagName} ${node.namespaceURI}${attrs}>${inside}</>`;
}
