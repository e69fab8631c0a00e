package import SystemPackage

/// Where a user's programs keep their data.
package struct UserHome: Sendable, Equatable {
    /// Nil where it is not known.
    package let home: FilePath?
    /// Where programs are told to keep data, in place of `.local/share`; nil where they are not told.
    package let data: FilePath?

    package init(home: FilePath?, data: FilePath? = nil) {
        self.home = home
        self.data = data
    }
}
