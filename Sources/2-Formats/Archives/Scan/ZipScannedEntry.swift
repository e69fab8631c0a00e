/// One entry that was found in a damaged archive, and what is proved of it.
public struct ZipScannedEntry: Sendable {
    /// What became of it.
    public enum State: Sendable, Equatable {
        /// The checksum of its unpacked bytes holds.
        case whole
        case lost(Loss)
        /// Its header lies in the data of another entry, which is not whole.
        case inside(String)
    }

    /// Why an entry is lost.
    public enum Loss: String, Sendable, Encodable {
        /// The file ends inside of it, or another entry begins there.
        case cutOff
        /// The checksum of its bytes is another one.
        case checksum
        /// Its packed bytes cannot be unpacked.
        case data
        /// Nothing that was found says what its checksum was, or where it ends.
        case unproven
        /// It is encrypted by zip's own means.
        case encrypted
        /// It is packed by another method than stored and deflated.
        case method
        /// It grows more than ``ZipLimits/ratio`` allows.
        case ratio
        /// It is a link, a device or the like.
        case special
        /// So much of the file had been tried before that it was left.
        case notTried
    }

    /// The bytes of the name, without a slash at its end.
    public let rawName: [UInt8]
    public let isFolder: Bool
    /// As the archive has it, known or not.
    public internal(set) var methodCode: UInt16
    /// Seconds since 1970.
    public let modificationTime: Int64
    /// Where it begins in the file.
    public let headerOffset: Int64
    /// Where its packed bytes lie; of a lost one, those that exist.
    public internal(set) var data: Range<Int64>
    /// Of the unpacked bytes, as far as it is known.
    public internal(set) var size: Int64?
    public internal(set) var checksum: UInt32?
    /// Where what belongs to it ends.
    public internal(set) var end: Int64
    public internal(set) var state: State
    /// Which directory names it, of ``ZipScan/directories``; nil when only its own header was found.
    public internal(set) var directory: Int?

    /// The name as text for a user, whatever its bytes are.
    public var shownName: String { String(decoding: rawName, as: UTF8.self).escaped }

    /// How it is packed; nil for a method that is not read here.
    public var method: ZipMethod? { ZipMethod(rawValue: methodCode) }
}
