/** Programs that open formats which no browser shows, by extensions separated by spaces. */
const programs: readonly (readonly [extensions: string, programs: string])[] = [
  ['eps', 'Adobe Illustrator, Inkscape or GIMP'],
  ['indd', 'Adobe InDesign'],
  ['xcf', 'GIMP'],
  ['sketch', 'Sketch'],
  ['fig', 'Figma'],
  ['wma wmv', 'VLC or Windows Media Player'],
  ['doc rtf', 'Microsoft Word, LibreOffice or Google Docs'],
  ['ppt pps', 'Microsoft PowerPoint, LibreOffice or Google Slides'],
  ['odt ott', 'LibreOffice, Microsoft Word or Google Docs'],
  ['odp', 'LibreOffice, Microsoft PowerPoint or Google Slides'],
  ['pages', 'Apple Pages'],
  ['numbers', 'Apple Numbers'],
  ['key', 'Apple Keynote'],
  ['epub', 'a reader of e-books such as Apple Books or Calibre'],
  ['blend', 'Blender'],
  ['dwg dxf', 'AutoCAD or LibreCAD'],
  ['step stp iges igs', 'FreeCAD or Fusion'],
  ['rar 7z', '7-Zip, or The Unarchiver on a Mac'],
  ['sqlite db', 'DB Browser for SQLite'],
  ['parquet arrow feather ipc', 'DuckDB or Tad'],
];

const byExtension = new Map(
  programs.flatMap(([extensions, names]) =>
    extensions.split(' ').map((extension) => [extension, names] as const),
  ),
);

/** The programs that open a file of this extension, as words of a sentence. */
export function programsFor(extension: string): string | undefined {
  return byExtension.get(extension);
}
