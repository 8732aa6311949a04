/** An icon as MCP and its server cards describe it. */
export interface Icon {
  src: string;
  mimeType: string;
  sizes: string[];
}

/** Addresses of the service's icon. Clients that show icons must support PNG; most show SVG too. */
export const iconPaths = { svg: '/icon.svg', png: '/icon.png' } as const;

/** Width and height of the PNG in pixels. */
const pngIconSize = 128;

/** The icons of the server, at absolute addresses. */
export function serverIcons(baseUrl: string): Icon[] {
  const size = `${pngIconSize}x${pngIconSize}`;
  return [
    { src: baseUrl + iconPaths.png, mimeType: 'image/png', sizes: [size] },
    { src: baseUrl + iconPaths.svg, mimeType: 'image/svg+xml', sizes: ['any'] },
  ];
}

/** The icon of a tool. */
export interface ToolIcon {
  /** Name of its file, without the ending. Each tool has its own. */
  file: string;
  /** Strokes on a grid of 24, as the path of an SVG. */
  path: string;
}

/** The path of a tool's icon. */
export function toolIconPath({ file }: ToolIcon): string {
  return `/icons/${file}.svg`;
}

/** The icon of a tool as an SVG. Its background is pale, because clients show it on any colour. */
export function toolIconSvg({ path }: ToolIcon): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 32 32"><rect x="-4" y="-4" width="32" height="32" rx="7" fill="#eef2f1"/><path d="${path}" fill="none" stroke="#12242c" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}
