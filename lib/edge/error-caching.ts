/**
 * Errors that CloudFront keeps for ten seconds whatever the answer says, unless told otherwise
 * (CloudFront guide, "How CloudFront caches HTTP 4xx and 5xx status codes"). One caller's failure
 * is not another's answer.
 */
export const uncachedErrors = [405, 500, 502, 503, 504];
