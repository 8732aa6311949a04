import { relationshipsPath } from '../parts/zip-parts.ts';

/** What a sheet shows beside its cells. */
export interface Drawings {
  pictures: number;
  charts: number;
}

/** The drawings of a worksheet, by the part of the sheet (ECMA-376, part 1, sections 12.3.8 and 20.5). */
export function drawingsOfWorksheet(path: string, textOf: (path: string) => string): Drawings {
  const relations = textOf(relationshipsPath(path));
  const found = { pictures: 0, charts: 0 };
  for (const [, target = ''] of relations.matchAll(/\sTarget="([^"]*drawing\d*\.xml)"/g)) {
    const drawing = textOf(
      target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\.\//, '')}`,
    );
    found.pictures += drawing.match(/<(?:\w+:)?pic[\s/>]/g)?.length ?? 0;
    found.charts += drawing.match(/<(?:\w+:)?chart\s/g)?.length ?? 0;
  }
  return found;
}

/** The drawings of each table of an ODS file (ODF 1.3, part 3, section 10.4). */
export function drawingsOfOds(content: string): Drawings[] {
  return content
    .split(/<table:table(?=[\s>])/)
    .slice(1)
    .map((table) => ({
      pictures: table.match(/<draw:image[\s/>]/g)?.length ?? 0,
      charts: table.match(/<draw:object[\s/>]/g)?.length ?? 0,
    }));
}

/** "A chart and 3 pictures", or nothing. */
export function drawingWords({ charts, pictures }: Drawings): string {
  return [counted(charts, 'chart'), counted(pictures, 'picture')]
    .filter((text) => text !== '')
    .join(' and ');
}

function counted(count: number, name: string): string {
  if (count === 0) return '';
  return count === 1 ? `a ${name}` : `${count} ${name}s`;
}
