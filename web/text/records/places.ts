/** Degrees, longitude first (RFC 7946, section 3.1.1). */
export type Position = readonly [longitude: number, latitude: number];

/** A thing on a map: its words, and what is drawn of it. */
export interface Place {
  name: string;
  /** "Point", "Line" or "Area", as people say. */
  kind: string;
  properties: Readonly<Record<string, string>>;
  lines: readonly (readonly Position[])[];
}

/** Places of a file, in the order of the file. */
export interface Places {
  title?: string | undefined;
  places: readonly Place[];
}
