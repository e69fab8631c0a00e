import ValiseRepository
import ValiseStorage

/// How many pages of a database make one blob.
///
/// A day of messages changes about as many groups of any small size, so small ones store less; but all identifiers are stored
/// anew each time. The sizes are where both are least (fact sheet on repositories, section 8.4).
enum PageGroups {
    /// A folder with more identifiers would be larger than all that changes.
    private static let mostGroups: Int64 = 1 << 19
    /// Where it has to change: a folder with as many cannot be written.
    private static let utmostGroups: Int64 = 1 << 20

    /// For a database that was never backed up.
    static func size(of bytes: Int64, pageSize: Int) -> Int {
        var group =
            switch bytes {
            case ...(256 << 20): 1
            case ...(1 << 30): 2
            default: 4
            }
        // The bounds are those of pages of 4 KiB.
        if pageSize < 4096 { group *= 4096 / pageSize }
        while count(of: bytes, pageSize, group) > mostGroups { group *= 2 }
        return group
    }

    /// Where a snapshot has the database already, its size is kept: with any other all would be stored again.
    /// - Parameter previous: the first blob of the database there, in bytes; nil for none.
    static func size(of bytes: Int64, pageSize: Int, previous: Int?, most: Int) -> Int {
        if let previous, previous % pageSize == 0 {
            let group = previous / pageSize
            if group > 0, group.nonzeroBitCount == 1, group <= most,
                count(of: bytes, pageSize, group) <= utmostGroups
            {
                return group
            }
        }
        return min(most, size(of: bytes, pageSize: pageSize))
    }

    private static func count(of bytes: Int64, _ pageSize: Int, _ group: Int) -> Int64 {
        bytes / (Int64(pageSize) * Int64(group))
    }
}
