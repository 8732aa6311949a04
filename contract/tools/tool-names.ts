/** The tools of the MCP endpoint, in the order in which it lists them. */
export const toolNames = [
  'publish_site',
  'create_upload_link',
  'update_project_files',
  'update_project_settings',
  'delete_project',
  'list_projects',
  'get_project',
  'get_link_opens',
  'get_qr_code',
  'get_account',
] as const;
export type ToolName = (typeof toolNames)[number];
