/// The pages of one database, as SQLite sees them: decrypted, without the bytes that a cipher reserves.
package protocol PageSource: AnyObject {
    /// How many whole pages there are.
    var pageCount: UInt32 { get }
    /// In bytes, what a cipher reserves included.
    var pageSize: Int { get }
    /// How many bytes of a page are SQLite's.
    var usableSize: Int { get }
    /// The usable bytes of a page, nil where the page cannot be trusted.
    ///
    /// - Parameter number: from 1 to ``pageCount``.
    /// - Throws: an error of the source.
    func page(_ number: UInt32) throws -> [UInt8]?
}

extension PageSource {
    /// The page on which SQLite puts its locks, which never has content.
    package var lockPage: UInt32 { UInt32(0x4000_0000 / pageSize) + 1 }
}
