/** Programs that open formats which no browser shows, by extensions separated by spaces. */
const programs: readonly (readonly [extensions: string, programs: string])[] = [
  ['svgz', 'Inkscape or a browser'],
  ['eps', 'Adobe Illustrator, Inkscape or GIMP'],
  ['emf wmf', 'Inkscape or LibreOffice'],
  ['indd', 'Adobe InDesign'],
  ['xcf dds pcx sgi pict ras mng', 'GIMP'],
  ['sketch', 'Sketch'],
  ['fig', 'Figma'],
  ['wma wmv', 'VLC or Windows Media Player'],
  ['flv ts m2ts mts vob rm rmvb amr ac3 dts mp2 spx tta wv ape', 'VLC'],
  ['doc rtf', 'Microsoft Word, LibreOffice or Google Docs'],
  ['ppt pps', 'Microsoft PowerPoint, LibreOffice or Google Slides'],
  ['odt ott', 'LibreOffice, Microsoft Word or Google Docs'],
  ['odp', 'LibreOffice, Microsoft PowerPoint or Google Slides'],
  ['pages', 'Apple Pages'],
  ['numbers', 'Apple Numbers'],
  ['key', 'Apple Keynote'],
  ['epub', 'a reader of e-books such as Apple Books or Calibre'],
  ['blend', 'Blender'],
  ['gnumeric', 'Gnumeric'],
  ['mobi azw azw3', 'Amazon Kindle or Calibre'],
  ['mdb accdb', 'Microsoft Access or LibreOffice'],
  ['vsd vsdx', 'Microsoft Visio or LibreOffice'],
  ['pub', 'Microsoft Publisher or LibreOffice'],
  ['msg pst', 'Microsoft Outlook'],
  ['sav', 'SPSS or PSPP'],
  ['psp', 'PaintShop Pro'],
  ['cdr', 'CorelDRAW or Inkscape'],
  ['djvu djv', 'DjView or Okular'],
  ['wpd wps', 'LibreOffice'],
  ['skp', 'SketchUp'],
  ['rvt', 'Autodesk Revit'],
  ['3dm', 'Rhino'],
  ['sldprt sldasm', 'SolidWorks'],
  ['dwg dxf', 'AutoCAD or LibreCAD'],
  ['step stp iges igs', 'FreeCAD or Fusion'],
  ['rar 7z xz txz bz2 tbz2 tbz lzma lz4 cpio cab iso', '7-Zip, or The Unarchiver on a Mac'],
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
