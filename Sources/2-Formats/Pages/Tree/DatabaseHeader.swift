/// What the first hundred bytes of a database say.
package struct DatabaseHeader: Sendable, Equatable {
    /// How text is stored.
    package enum TextEncoding: UInt32, Sendable {
        case utf8 = 1
        case utf16LittleEndian = 2
        case utf16BigEndian = 3
    }

    /// What happens to pages that are no longer needed.
    package enum AutoVacuum: Int, Sendable {
        case none = 0
        case full = 1
        case incremental = 2
    }

    package let pageSize: Int
    /// How many bytes at the end of each page are not SQLite's.
    package let reserve: Int
    /// As the header states it; the file may be longer or shorter.
    package let pageCount: UInt32
    /// Whether ``pageCount`` was kept at the last change: SQLite before 3.7.0 did not know it.
    package let isPageCountCurrent: Bool
    /// The first page of the list of free pages; 0 where there is none.
    package let firstFree: UInt32
    package let autoVacuum: AutoVacuum
    package let encoding: TextEncoding
    package let userVersion: UInt32
    package let applicationID: UInt32

    package static let size = 100
    static let magic = Array("SQLite format 3\0".utf8)

    /// Nil where the bytes are no header.
    package init?(_ page: [UInt8]) {
        let bytes = PageBytes(bytes: page)
        guard page.starts(with: Self.magic), let size = bytes.number16(16), let reserve = bytes.byte(20),
            let pageCount = bytes.number32(28), let firstFree = bytes.number32(32),
            let largestRoot = bytes.number32(52), let encoding = bytes.number32(56),
            let userVersion = bytes.number32(60), let incremental = bytes.number32(64),
            let applicationID = bytes.number32(68), let changes = bytes.number32(24),
            let countedAt = bytes.number32(92)
        else { return nil }
        pageSize = size == 1 ? 65536 : size
        guard (512...65536).contains(pageSize), pageSize.nonzeroBitCount == 1, pageSize - reserve >= 480
        else {
            return nil
        }
        self.reserve = reserve
        self.pageCount = pageCount
        isPageCountCurrent = changes == countedAt
        self.firstFree = firstFree
        autoVacuum = largestRoot == 0 ? .none : incremental == 0 ? .full : .incremental
        self.encoding = TextEncoding(rawValue: encoding) ?? .utf8
        self.userVersion = userVersion
        self.applicationID = applicationID
    }
}
