/** Inserts with a token that was used already store nothing; the last 10,000 tokens are known. */
export const insertTokens = [`alter table events modify setting non_replicated_deduplication_window = 10000`];
