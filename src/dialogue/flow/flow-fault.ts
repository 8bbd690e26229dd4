/** Something that keeps a flow from being followed. `path` is RFC 6901 within the flow definition. */
export type FlowFault = Readonly<{ path: string; nodeId?: string; message: string }>;
