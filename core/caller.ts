/** Who is asking: the address that the edge saw, and the request's id for answers and logs. */
export interface Caller {
  address: string;
  requestId: string;
}
