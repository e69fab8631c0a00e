import ValiseFiles

/// Bytes that are verified once before they are read.
protocol VerifiedSource: ByteSource {
    /// Verifies all of it, if that was not done yet. Others wait for the one that does.
    /// - Throws: where it is damaged; whatever `checkpoint` throws.
    func verify(checkpoint: () throws -> Void) throws
}
