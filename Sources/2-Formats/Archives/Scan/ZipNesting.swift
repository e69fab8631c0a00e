/// Tells the entries of a damaged archive from those of an archive that lies in one of its entries.
///
/// An entry that is whole was passed over with all that is in it. What was found behind the header of one that is
/// not whole is its content, unless something says that it is another entry of the archive.
enum ZipNesting {
    static func resolve(_ found: [ZipWalkedEntry], _ directories: [ZipFoundDirectory]) -> [ZipWalkedEntry] {
        var entries = found
        var index = 0
        while index < entries.count {
            let place = index
            let outer = entries[place]
            index += 1
            guard outer.entry.state != .intact, outer.entry.directory == nil else { continue }
            let end = contentEnd(
                of: outer, following: index < entries.count ? entries[index] : nil, directories)
            while index < entries.count, entries[index].entry.headerOffset < end,
                entries[index].entry.directory == nil
            {
                entries[index].entry.state = .inside(outer.entry.shownName)
                entries[index].isPending = false
                index += 1
            }
            bound(&entries, outer: place, next: index, directories)
        }
        return entries
    }

    /// Up to where headers are of what lies in the entry.
    private static func contentEnd(
        of outer: ZipWalkedEntry, following: ZipWalkedEntry?, _ directories: [ZipFoundDirectory]
    ) -> Int64 {
        let data = outer.entry.data
        guard let following, following.entry.headerOffset < outer.claim ?? .max else { return 0 }
        // It says that it goes on behind its end: then all of this is its own.
        if let claim = outer.claim, outer.isAnchored || claim > outer.entry.end { return outer.entry.end }
        // Its size may be wrong or is not known. An archive that begins where the data do is the content.
        guard following.entry.headerOffset - data.lowerBound <= ZipWalk.nestedSlack else { return 0 }
        let inner = directories.first { $0.start >= data.lowerBound && $0.end <= outer.claim ?? .max }
        return inner?.end ?? outer.claim ?? outer.entry.end
    }

    /// An entry whose end nobody knows ends where the next one begins.
    private static func bound(
        _ entries: inout [ZipWalkedEntry], outer: Int, next: Int, _ directories: [ZipFoundDirectory]
    ) {
        guard !entries[outer].isAnchored else { return }
        var end = entries[outer].entry.end
        if next < entries.count { end = min(end, entries[next].entry.headerOffset) }
        let start = entries[outer].entry.data.lowerBound
        if let directory = directories.first(where: { $0.start >= start && !$0.isNested }) {
            end = min(end, max(start, directory.start))
        }
        entries[outer].entry.end = end
        entries[outer].entry.data =
            min(start, end)..<min(entries[outer].entry.data.upperBound, max(start, end))
    }
}
