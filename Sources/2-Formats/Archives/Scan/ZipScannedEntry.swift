/// One entry that was found in a damaged archive, and what is proved of it.
package struct ZipScannedEntry: Sendable {
    /// What became of it.
    package enum State: Sendable, Equatable {
        /// The checksum of its unpacked bytes holds.
        case intact
        case lost(Loss)
        /// Its header lies in the data of another entry, which is not whole.
        case inside(String)
    }

    /// Why an entry is lost.
    package enum Loss: String, Sendable, Encodable {
        /// The file ends inside it, or another entry begins there.
        case cutOff
        /// The checksum of its bytes is another one.
        case checksum
        /// Its packed bytes cannot be unpacked.
        case data
        /// Nothing that was found says what its checksum was, or where it ends.
        case unverifiable = "unproven"
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
    package let rawName: [UInt8]
    package let isFolder: Bool
    /// As the archive has it, known or not.
    package internal(set) var methodCode: UInt16
    /// Seconds since 1970.
    package let modificationTime: Int64
    /// Where it begins in the file.
    package let headerOffset: Int64
    /// Where its packed bytes lie; of a lost one, those that exist.
    package internal(set) var data: Range<Int64>
    /// Of the unpacked bytes, as far as it is known.
    package internal(set) var size: Int64?
    package internal(set) var checksum: UInt32?
    /// Where what belongs to it ends.
    package internal(set) var end: Int64
    package internal(set) var state: State
    /// Which directory names it, of ``ZipScan/directories``; nil when only its own header was found.
    package internal(set) var directory: Int?

    /// The name as text for a user, whatever its bytes are.
    package var shownName: String { String(decoding: rawName, as: UTF8.self).escaped }

    /// How it is packed; nil for a method that is not read here.
    package var method: ZipMethod? { ZipMethod(rawValue: methodCode) }
}
