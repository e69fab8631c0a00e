import ValiseEncoding

/// The extra fields of a header, as far as they change what a reader sees.
struct ZipExtraFields {
    private var zip64: ArraySlice<UInt8>?
    private var unicodeName: ArraySlice<UInt8>?
    /// Info-ZIP's, in seconds since 1970.
    private(set) var modificationTime: Int32?

    init(_ bytes: ArraySlice<UInt8>, entry: String) throws(ZipError) {
        var reader = ByteReader(bytes)
        do throws(ByteCodingError) {
            // Some programs pad the field with up to three zeros.
            while reader.remaining >= 4 {
                let id = try reader.littleEndian(UInt16.self)
                let length = try reader.littleEndian(UInt16.self)
                let field = try reader.take(Int(length))
                if id == 1 {
                    guard zip64 == nil else {
                        throw ByteCodingError.repeated
                    }
                    zip64 = field
                }
                if id == 0x5455 { modificationTime = Self.time(field) }
                if id == 0x7075 {
                    guard unicodeName == nil else {
                        throw ByteCodingError.repeated
                    }
                    unicodeName = field
                }
            }
            // Other readers refuse anything else there, libarchive among them.
            guard try reader.take(reader.remaining).allSatisfy({ $0 == 0 }) else {
                throw ByteCodingError.repeated
            }
        } catch {
            throw .damaged(.directoryDamaged, "damaged extra fields", entry: entry)
        }
    }

    /// A byte tells which times there are, that of the last change first.
    private static func time(_ field: ArraySlice<UInt8>) -> Int32? {
        var reader = ByteReader(field)
        guard let flags = try? reader.littleEndian(UInt8.self), flags & 1 != 0,
            let seconds = try? reader.littleEndian(UInt32.self)
        else { return nil }
        return Int32(bitPattern: seconds)
    }

    /// Info-ZIP's second name must not be another one: readers differ in which they take.
    func checkUnicodeName(against name: [UInt8], entry: String) throws(ZipError) {
        guard let unicodeName else { return }
        guard unicodeName.count > 5, unicodeName.dropFirst(5).elementsEqual(name) else {
            throw .damaged(.nameTwin, "two different names", entry: entry)
        }
    }

    /// The 64-bit values that stand in for 32-bit fields with all bits set, in their fixed order.
    func sizes(
        uncompressed: UInt32, compressed: UInt32, offset: UInt32?, entry: String
    ) throws(ZipError) -> (uncompressed: Int64, compressed: Int64, offset: Int64) {
        var reader = ByteReader(zip64 ?? [])
        func widen(_ value: UInt32, _ reader: inout ByteReader) throws(ZipError) -> Int64 {
            guard value == .max, zip64 != nil else { return Int64(value) }
            do throws(ByteCodingError) {
                guard let wide = Int64(exactly: try reader.littleEndian(UInt64.self)) else {
                    throw ByteCodingError.repeated
                }
                return wide
            } catch {
                throw .damaged(.zip64, "Zip64 sizes missing or invalid", entry: entry)
            }
        }
        let wideUncompressed = try widen(uncompressed, &reader)
        let wideCompressed = try widen(compressed, &reader)
        let wideOffset = try widen(offset ?? 0, &reader)
        return (wideUncompressed, wideCompressed, wideOffset)
    }
}
