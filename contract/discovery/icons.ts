import type { ToolName } from '../tools/tool-names.ts';

/** An icon as MCP and its server cards describe it. */
export interface Icon {
  src: string;
  mimeType: string;
  sizes: string[];
}

/** Addresses of the mark. Clients that show icons must support PNG; most show SVG too. */
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

/** The drawing of each tool. Tools that look alike to a person share one. */
export const toolDrawings = {
  publish_site: 'publish',
  create_upload_link: 'upload',
  update_project_files: 'edit',
  update_project_settings: 'settings',
  delete_project: 'delete',
  list_projects: 'list',
  get_project: 'read',
  get_link_opens: 'opens',
  get_qr_code: 'qr',
  get_account: 'account',
} as const satisfies Record<ToolName, string>;
export type ToolDrawing = (typeof toolDrawings)[ToolName];

/** The path of a tool's drawing. */
export function drawingPath(drawing: ToolDrawing): string {
  return `/icons/${drawing}.svg`;
}

/** The icon of a tool. It has no more fields: every conversation pays for the list of tools. */
export function toolIcons(name: ToolName, baseUrl: string): Pick<Icon, 'src'>[] {
  return [{ src: baseUrl + drawingPath(toolDrawings[name]) }];
}
