/** Why a file is not shown. The message is read by visitors: what is the matter, in one sentence. */
export class Unshowable extends Error {}
