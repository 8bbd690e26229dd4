/** Where the other party is to be connected, and what whoever picks up there is told before they talk; nothing when absent. */
export type TransferWish = Readonly<{ to: string; summary?: string }>;
