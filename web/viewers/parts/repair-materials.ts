/**
 * Materials of an OBJ (`.mtl`) as their programs meant them. MeshLab writes the opacity as `Tr`, which is the
 * transparency elsewhere: a material that nobody could see is opaque. A picture on black stays black, so what is
 * below a picture is white. Paths of somebody's disk are names of files beside the model.
 */
export function repairMaterials(mtl: string): string {
  return mtl
    .replaceAll('\\', '/')
    .split(/^(?=[ \t]*newmtl\b)/m)
    .map(repairMaterial)
    .join('');
}

function repairMaterial(material: string): string {
  const hasOpacity = /^[ \t]*d[ \t]/m.test(material);
  const hasPicture = /^[ \t]*map_Kd[ \t]/im.test(material);
  return material
    .split('\n')
    .filter((line) => !isUnseen(line, hasOpacity))
    .map((line) =>
      hasPicture ? line.replace(/^(\s*Kd)(?:\s+(?:0+(?:\.0*)?|\.0+)){3}\s*$/i, '$1 1 1 1') : line,
    )
    .map(withNameOfFile)
    .join('\n');
}

/** A picture by the last part of its path, if the path begins at the root of a disk. */
function withNameOfFile(line: string): string {
  if (!/^\s*(?:map_\w+|bump|disp|decal|norm)\s/i.test(line)) return line;
  const root = /(?:[a-z]:)?\/\S/i.exec(line);
  const name = line.lastIndexOf('/') + 1;
  if (root === null || name <= root.index + root[0].length || name === line.length) return line;
  return line.slice(0, root.index) + line.slice(name);
}

/** Wavefront's specification has only `d`; where both are there, they often contradict each other. */
function isUnseen(line: string, hasOpacity: boolean): boolean {
  const [, name = '', value = ''] = /^\s*(d|Tr)\s+([\d.]+)\s*$/i.exec(line) ?? [];
  if (name.toLowerCase() === 'd') return Number(value) === 0;
  return name !== '' && (hasOpacity || Number(value) >= 1);
}
