/// The object that makes a folder exist without a file in it: `index/FOLDER/.tcfs_dir`.
package enum DirectoryMarker {
    /// The last component of its key, which no file may have.
    package static let name = ".tcfs_dir"
    /// What is in it.
    package static let content = Array("type=directory\n".utf8)
}
