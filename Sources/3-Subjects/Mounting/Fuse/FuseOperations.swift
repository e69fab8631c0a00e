import CValiseFuse
import SystemPackage

/// The functions that libfuse calls, on the threads that serve.
enum FuseOperations {
    /// - Parameter context: an unmanaged ``FuseHandler``, which lasts as long as the session.
    static func table(_ context: UnsafeMutableRawPointer) -> valise_fuse_tree {
        var tree = unsafe valise_fuse_tree()
        unsafe tree.context = unsafe context
        unsafe addEntries(&tree)
        unsafe addFiles(&tree)
        unsafe addFolders(&tree)
        return unsafe tree
    }

    private static func handler(_ context: UnsafeMutableRawPointer?) -> FuseHandler {
        unsafe Unmanaged<FuseHandler>.fromOpaque(context!).takeUnretainedValue()
    }

    private static func addEntries(_ tree: inout valise_fuse_tree) {
        unsafe tree.lookup = { context, folder, text, found in
            switch unsafe FuseOperations.handler(context).lookUp(FuseOperations.bytes(of: text), in: folder) {
            case .success(let attributes):
                unsafe found?.pointee = attributes
                return 0
            case .failure(let errno): return errno.rawValue
            }
        }
        unsafe tree.forget = { context, inode, count in
            unsafe FuseOperations.handler(context).table.forget(inode, count)
        }
        unsafe tree.attributes = { context, inode, found in
            guard let attributes = unsafe FuseOperations.handler(context).attributes(inode) else {
                return Errno.staleNFSFileHandle.rawValue
            }
            unsafe found?.pointee = attributes
            return 0
        }
        unsafe tree.target = { context, inode, memory, capacity in
            guard let target = unsafe FuseOperations.handler(context).target(inode),
                let memory = unsafe memory
            else {
                return Int64(-Errno.invalidArgument.rawValue)
            }
            guard target.count <= capacity else { return Int64(-Errno.fileNameTooLong.rawValue) }
            unsafe UnsafeMutableRawBufferPointer(start: memory, count: target.count).copyBytes(from: target)
            return Int64(target.count)
        }
        unsafe tree.surplus = { context, folder, memory in
            guard let known = unsafe FuseOperations.handler(context).table.surplus(),
                let memory = unsafe memory,
                known.name.count <= valise_fuse_longest_name
            else { return -1 }
            unsafe folder?.pointee = known.folder
            unsafe UnsafeMutableRawBufferPointer(start: memory, count: known.name.count)
                .copyBytes(from: known.name)
            return Int64(known.name.count)
        }
    }

    private static func addFiles(_ tree: inout valise_fuse_tree) {
        unsafe tree.open = { context, inode, handle in
            unsafe FuseOperations.answer(FuseOperations.handler(context).open(inode), handle)
        }
        unsafe tree.read = { context, handle, memory, capacity, offset in
            let buffer = unsafe UnsafeMutableRawBufferPointer(start: memory, count: capacity)
            switch unsafe FuseOperations.handler(context).read(handle, into: buffer, at: offset) {
            case .success(let count): return Int64(count)
            case .failure(let errno): return Int64(-errno.rawValue)
            }
        }
        unsafe tree.close = { context, handle in unsafe FuseOperations.handler(context).close(handle) }
    }

    private static func addFolders(_ tree: inout valise_fuse_tree) {
        unsafe tree.open_folder = { context, inode, handle in
            unsafe FuseOperations.answer(FuseOperations.handler(context).openFolder(inode), handle)
        }
        unsafe tree.list = { context, handle, _, number, listing in
            unsafe FuseOperations.handler(context).list(handle, from: number) { name, inode, mode, next in
                // A zero ends the name of C.
                unsafe (name.map(CChar.init(bitPattern:)) + [0]).withUnsafeBufferPointer {
                    unsafe valise_fuse_add(listing, $0.baseAddress, inode, mode, next)
                }
            }?.rawValue ?? 0
        }
        unsafe tree.close_folder = { context, handle in
            unsafe FuseOperations.handler(context).closeFolder(handle)
        }
    }

    private static func answer(
        _ opened: Result<UInt64, Errno>, _ handle: UnsafeMutablePointer<UInt64>?
    ) -> Int32 {
        switch opened {
        case .success(let number):
            unsafe handle?.pointee = number
            return 0
        case .failure(let errno): return errno.rawValue
        }
    }

    /// Names are bytes of any kind.
    private static func bytes(of text: UnsafePointer<CChar>?) -> [UInt8] {
        guard let text = unsafe text else { return [] }
        var bytes: [UInt8] = []
        var place = 0
        while unsafe text[place] != 0 {
            unsafe bytes.append(UInt8(bitPattern: text[place]))
            place += 1
        }
        return bytes
    }
}
