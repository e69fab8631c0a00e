import SystemPackage
import ValiseFiles

/// A new database that nobody else can read.
enum PrivateFile {
    /// Makes an empty file where there is none, which is a new database to SQLite.
    ///
    /// SQLite itself would make it with mode 0644, as far as the umask allows; the files beside it get the mode that it has.
    /// What cannot be made here is left to SQLite, which then says why.
    static func make(_ path: FilePath) {
        try? FileSystem().create(path).close()
    }
}
