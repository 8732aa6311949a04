import { RewritingStream } from 'parse5-html-rewriting-stream';

/** A tokenizer that is fed synchronously: as a stream it would emit its tokens later. */
export class HtmlTokenizer extends RewritingStream {
  feed(text: string, isLast: boolean): void {
    this.tokenizer.write(text, isLast);
  }
}
