extension ForgedZip {
    /// The archive.
    public func bytes() -> [UInt8] {
        var bytes: [UInt8] = []
        var headers: [[UInt8]] = []
        for entry in entries {
            bytes += entry.gap
            let offset = bytes.count
            bytes += entry.localHeader() + entry.data + entry.descriptor()
            headers.append(entry.centralHeader(offset: offset))
        }
        let start = bytes.count
        for header in isReversed ? headers.reversed() : headers { bytes += header }
        let size = bytes.count - start
        if hasZip64End { bytes += zip64End(start, size) }
        bytes.append(0x0605_4b50, width: 4)
        bytes.append(0, width: 4)
        bytes.append(entries.count, width: 2)
        bytes.append(entries.count, width: 2)
        bytes.append(hasZip64End ? 0xffff_ffff : size, width: 4)
        bytes.append(hasZip64End ? 0xffff_ffff : start, width: 4)
        bytes.append(comment.count, width: 2)
        return bytes + comment.prefix(0xffff)
    }

    private func zip64End(_ start: Int, _ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(0x0606_4b50, width: 4)
        bytes.append(44, width: 8)
        bytes.append(45, width: 2)
        bytes.append(45, width: 2)
        bytes.append(0, width: 8)
        for value in [entries.count, entries.count, size, start] { bytes.append(value, width: 8) }
        bytes.append(0x0706_4b50, width: 4)
        bytes.append(0, width: 4)
        bytes.append(start + size, width: 8)
        bytes.append(1, width: 4)
        return bytes
    }
}

extension ForgedZip.Entry {
    /// The fields that both headers have, from the version to the length of the name.
    private func common() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(needed, width: 2)
        bytes.append(flags, width: 2)
        bytes.append(method, width: 2)
        bytes.append(time, width: 4)
        bytes.append(checksum, width: 4)
        bytes.append(isZip64 ? 0xffff_ffff : data.count, width: 4)
        bytes.append(isZip64 ? 0xffff_ffff : size, width: 4)
        bytes.append(name.count, width: 2)
        return bytes
    }

    private func zip64(_ values: [Int]) -> [UInt8] {
        guard isZip64 else { return [] }
        var bytes: [UInt8] = []
        bytes.append(1, width: 2)
        bytes.append(8 * values.count, width: 2)
        for value in values { bytes.append(value, width: 8) }
        return bytes
    }

    func localHeader() -> [UInt8] {
        let extra = zip64([size, data.count]) + localExtra
        var bytes: [UInt8] = []
        bytes.append(0x0403_4b50, width: 4)
        bytes += common()
        bytes.append(extra.count, width: 2)
        return bytes + name + extra
    }

    func centralHeader(offset: Int) -> [UInt8] {
        let extra = zip64([size, data.count]) + centralExtra
        var bytes: [UInt8] = []
        bytes.append(0x0201_4b50, width: 4)
        bytes.append(madeBy, width: 2)
        bytes += common()
        bytes.append(extra.count, width: 2)
        bytes.append(comment.count, width: 2)
        bytes.append(0, width: 4)
        bytes.append(attributes, width: 4)
        bytes.append(offset, width: 4)
        return bytes + name + extra + comment
    }

    func descriptor() -> [UInt8] {
        guard hasDescriptor else { return [] }
        let width = hasWideDescriptor ? 8 : 4
        var bytes: [UInt8] = []
        if hasSignature { bytes.append(0x0807_4b50, width: 4) }
        bytes.append(checksum, width: 4)
        bytes.append(data.count, width: width)
        bytes.append(size, width: width)
        return bytes
    }
}
