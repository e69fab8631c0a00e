import SystemPackage
package import ValiseFiles

extension ZipScannedEntry {
    /// The packed bytes as they lie in the archive; of a lost entry those that exist.
    ///
    /// - Parameter archive: the file that was scanned.
    package func packedSource(in archive: any ByteSource) -> any ByteSource {
        PartialSource(data, of: archive, path: archive.path.appending(shownName))
    }

    /// The unpacked bytes of a whole entry, read at any place without unpacking them anywhere.
    ///
    /// - Parameter archive: the file that was scanned.
    /// - Throws: ``ZipError``; errors of the source.
    package func source(in archive: any ByteSource) throws -> any ByteSource {
        let packed = packedSource(in: archive)
        guard method == .deflated, let size else { return packed }
        return try ZipEntry.inflated(packed, size: size, entry: shownName)
    }

    /// Unpacks what exists of an entry, whole or not. Nothing of one that is not whole is proved, and it grows no
    /// more than ``ZipLimits/ratio`` allows.
    ///
    /// - Parameters:
    ///   - archive: the file that was scanned.
    ///   - consume: gets the bytes in order, up to the first that cannot be unpacked.
    /// - Throws: an error of the source; what `consume` throws.
    package func unpackRest(
        from archive: any ByteSource, into consume: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let ratio = state == .intact ? .max : ZipLimits().ratio
        let proof = ZipProof(bytes: ZipBytes(archive), ratio: ratio)
        switch method {
        case .stored: _ = try unsafe proof.stored(data, consume: consume)
        case .deflated:
            _ = try unsafe proof.inflated(from: data.lowerBound, limit: data.upperBound, consume: consume)
        case nil: break
        }
    }
}
