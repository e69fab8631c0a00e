/// What is accepted of a store, and how much of it is in memory. Everything in a store may have been written by a stranger.
package struct StoreRules: Sendable, Hashable {
    /// Whether a manifest that is named by the hash of its file may say another path: stores of the first versions share one
    /// manifest between files of equal content (sheet, section 8).
    package var sharesOldManifests = true
    /// The largest manifest that is read, in bytes: some 220,000 chunks.
    package var largestManifest = 16 << 20
    /// Chunks that are fetched or stored at a time.
    package var chunksInFlight = 8
    /// The most bytes of chunks in memory: with what a request needs besides, all stays below 32 MiB for chunks of up to 16 MiB.
    package var chunkMemory = 20 << 20
    /// The most bytes of chunks in memory while a file is stored: as many as are in flight, in the profile of large files.
    package var uploadMemory = 40 << 20

    /// The largest chunk of any profile, with what encryption adds (sheet, sections 3.1 and 5.1).
    static let largestChunk = (16 << 20) + 40

    package init() {}
}
