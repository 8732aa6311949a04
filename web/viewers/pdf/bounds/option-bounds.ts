/** What is read of a field with choices. */
interface ChoiceField {
  options: readonly { exportValue?: unknown; displayValue?: unknown }[];
  /** The values that are chosen. */
  fieldValue: readonly unknown[];
  /** What is shown of it instead, because it had too many choices. */
  shownText?: string;
}

/** For all fields of a page together: each option is an element, with five nodes in Chromium. */
export const mostOptions = 8000;
/** Each chosen value is compared with every option of its field. */
const mostChosen = 1000;
/** Characters of the text that is shown instead. */
const mostText = 500;

/** Takes the choices from the fields of a page that have too many, and says what was chosen in them. */
export function boundOptions(annotations: readonly unknown[]): void {
  let left = mostOptions;
  for (const annotation of annotations) {
    if (!isChoiceField(annotation)) continue;
    const { options, fieldValue } = annotation;
    if (options.length <= left && fieldValue.length <= mostChosen) {
      left -= options.length;
      continue;
    }
    annotation.shownText = textOf(annotation);
    annotation.options = [];
    annotation.fieldValue = [];
  }
}

function isChoiceField(annotation: unknown): annotation is ChoiceField {
  return (
    typeof annotation === 'object' &&
    annotation !== null &&
    'options' in annotation &&
    Array.isArray(annotation.options) &&
    'fieldValue' in annotation &&
    Array.isArray(annotation.fieldValue)
  );
}

function textOf({ options, fieldValue }: ChoiceField): string {
  const texts = new Map(fieldValue.slice(0, mostChosen).map((value) => [value, value]));
  for (const { exportValue, displayValue } of options) {
    if (texts.has(exportValue)) texts.set(exportValue, displayValue);
  }
  return [...texts.values()].map(String).join(', ').slice(0, mostText);
}
