extension ForgedZip {
    /// A mutation of an archive that is one again; nil where the bytes are none.
    public static func mutate(_ bytes: [UInt8], _ random: inout FuzzRandom) -> [UInt8]? {
        guard var archive = ForgedZip(bytes) else { return nil }
        for _ in 0...random.below(3) { archive.mutate(&random) }
        var forged = archive.bytes()
        // One contradiction in an archive that is sound otherwise.
        if random.once(in: 4) { breakField(of: &forged, &random) }
        return forged
    }

    private mutating func mutate(_ random: inout FuzzRandom) {
        let index = random.below(entries.count)
        switch random.below(10) {
        case 0 where entries.count > 1: entries.remove(at: index)
        case 1 where entries.count < Self.mostEntries:
            var twin = entries[index]
            twin.name.append(UInt8(ascii: "a") + UInt8(random.below(26)))
            entries.insert(twin, at: random.below(entries.count + 1))
        case 2: entries.swapAt(index, random.below(entries.count))
        case 3: isReversed.toggle()
        case 4: hasZip64End.toggle()
        case 5: comment = Mutation.mutate(comment, available: 40)
        default: entries[index].mutate(&random)
        }
    }

    private static let values = [
        0, 1, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff, .max, -1,
    ]

    private static func breakField(of bytes: inout [UInt8], _ random: inout FuzzRandom) {
        let width = [1, 2, 4, 8][random.below(4)]
        guard bytes.count > width else { return }
        let offset = random.below(bytes.count - width)
        let value = random.once(in: 2) ? Self.values[random.below(values.count)] : random.below(bytes.count)
        var field: [UInt8] = []
        field.append(value, width: width)
        bytes.replaceSubrange(offset..<offset + width, with: field)
    }
}

extension ForgedZip.Entry {
    mutating func mutate(_ random: inout FuzzRandom) {
        switch random.below(12) {
        case 0, 1:
            data = Mutation.mutate(data, available: data.count + 64)
            if !random.once(in: 4) { settle() }
        case 2: repack(Mutation.mutate(content ?? [], available: 256))
        case 3: repack(content ?? [])
        case 4: name = Mutation.mutate(name, available: name.count + 8)
        case 5: hasDescriptor.toggle()
        case 6: hasSignature.toggle()
        case 7: hasWideDescriptor.toggle()
        case 8: isZip64.toggle()
        case 9: localExtra = Mutation.mutate(localExtra, available: 40)
        case 10: centralExtra = Mutation.mutate(centralExtra, available: 40)
        default: mutateHeader(&random)
        }
    }

    /// Stored now where it was deflated, and the other way.
    private mutating func repack(_ content: [UInt8]) {
        (method, data) = method == 0 ? (8, Deflate.pack(content) ?? []) : (0, content)
        settle()
    }

    private mutating func mutateHeader(_ random: inout FuzzRandom) {
        switch random.below(6) {
        case 0: attributes ^= 1 << random.below(32)
        case 1: madeBy ^= 1 << random.below(16)
        case 2: flags ^= 1 << random.below(16)
        case 3: gap = Mutation.mutate(gap, available: 60)
        case 4: size += random.below(3) - 1
        default: comment = Mutation.mutate(comment, available: 40)
        }
    }
}
