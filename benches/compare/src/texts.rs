//! The texts that are counted: ten megabytes of prose, code and Chinese, and a megabyte each of one kind.
//!
//! Prose and code are what cargo has fetched of other packages: their pages and comments, and their sources. Chinese is
//! made of frequent words, since no package has enough of it; `campus` is a prompt that people wrote in Chinese.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// Files that are written. Those behind the first five are runs of a kind, a megabyte each.
pub const NAMES: [&str; 11] =
    ["mixed", "prose", "code", "chinese", "campus", "spaces", "letter", "cjk", "newlines", "slashes", "letters"];

/// Whether a text is a run that `tiktoken-rs` cannot take.
pub fn is_run(name: &str) -> bool {
    !["mixed", "prose", "code", "chinese", "campus"].contains(&name)
}

const MEGABYTE: usize = 1 << 20;

pub fn write(folder: &Path) {
    let registry = env::home_dir().expect("a home").join(".cargo/registry/src");
    let mut files = Vec::new();
    walk(&registry, &mut files);
    files.sort();
    let mut prose = some(&files, "md", 2 * MEGABYTE, str::to_owned);
    prose.push_str(&some(&files, "rs", 2 * MEGABYTE, comments));
    let code = some(&files, "rs", 4 * MEGABYTE, str::to_owned);
    let mut dice = Dice(7);
    let chinese = chinese(&mut dice, 2 * MEGABYTE);
    // In pieces of some pages each, as prompts come.
    let mut parts: Vec<&str> = [&prose, &code, &chinese].into_iter().flat_map(|text| cut(text, 20_000)).collect();
    for n in (1..parts.len()).rev() {
        parts.swap(n, dice.below(n + 1));
    }
    let letters = (0..MEGABYTE).map(|_| char::from(b'a' + dice.below(26) as u8)).collect();
    let run = |unit: &str| unit.repeat(MEGABYTE / unit.len());
    let texts = [
        parts.concat(),
        prose.clone(),
        code.clone(),
        chinese.clone(),
        campus(),
        run(" "),
        run("a"),
        run("一"),
        run("\n"),
        run("/"),
        letters,
    ];
    fs::create_dir_all(folder).expect("a folder to write to");
    for (name, text) in NAMES.iter().zip(texts) {
        fs::write(folder.join(name), text).expect("a file to write");
    }
    fs::write(folder.join("small"), &prose[..prose.floor_char_boundary(1024)]).expect("a file to write");
}

/// Parts of a text, of up to 400 bytes, some with characters from elsewhere.
pub fn parts(text: &str, number: usize) -> Vec<String> {
    let mut dice = Dice(5);
    (0..number)
        .map(|n| {
            let start = text.floor_char_boundary(dice.below(text.len()));
            let end = text.floor_char_boundary((start + dice.below(400)).min(text.len()));
            let mut part = text[start..end].to_owned();
            if n % 2 == 1 {
                let at = part.floor_char_boundary(dice.below(part.len() + 1));
                let inserted = char::from_u32(dice.below(0x2_0000) as u32).unwrap_or('\u{2028}');
                part.insert(at, inserted);
            }
            part
        })
        .collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { walk(&path, files) } else { files.push(path) }
    }
}

/// What a source says in prose: its documentation.
fn comments(source: &str) -> String {
    let line =
        |line: &str| Some(format!("{}\n", line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!', ' '])));
    source.lines().filter_map(line).collect()
}

/// Of the files with this ending as many, evenly chosen, as have this many bytes.
fn some(files: &[PathBuf], ending: &str, bytes: usize, part: fn(&str) -> String) -> String {
    let wanted: Vec<&PathBuf> = files.iter().filter(|path| path.extension().is_some_and(|e| e == ending)).collect();
    let mut text = String::new();
    // A step without a factor in common with the number of files would be exact; a prime one is near enough.
    for n in 0..wanted.len() {
        if let Ok(page) = fs::read_to_string(wanted[n * 7919 % wanted.len()])
            && page.len() < 200_000
        {
            text.push_str(&part(&page));
        }
        if text.len() >= bytes {
            text.truncate(text.floor_char_boundary(bytes));
            return text;
        }
    }
    panic!("cargo has fetched too few packages: {} bytes of *.{ending}", text.len());
}

/// The project's own prompt in Chinese, all of its texts.
fn campus() -> String {
    let mut files = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../prompts/campus"), &mut files);
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).expect("a text")).collect()
}

fn cut(text: &str, bytes: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (part, after) = rest.split_at(rest.ceil_char_boundary(bytes.min(rest.len())));
        parts.push(part);
        rest = after;
    }
    parts
}

fn chinese(dice: &mut Dice, bytes: usize) -> String {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut text = String::new();
    while text.len() < bytes {
        for _ in 0..3 + dice.below(7) {
            text.push_str(words[dice.below(words.len())]);
        }
        text.push_str(["，", "，", "，", "。", "；", "、", "。\n"][dice.below(7)]);
    }
    text.truncate(text.floor_char_boundary(bytes));
    text
}

const WORDS: &str = "的 了 在 是 我 有 和 就 不 人 都 一 上 也 很 到 说 要 去 你 会 着 没有 看 好 自己 这 那 我们 他们 \
    系统 用户 提示 模型 缓存 请求 工具 文件 命令 函数 变量 编译 测试 错误 返回 结果 数据 格式 输入 输出 参数 选项 目录 程序 \
    时间 问题 工作 生活 学习 国家 社会 经济 发展 公司 市场 管理 技术 信息 网络 服务 产品 研究 方法 方式 情况 关系 影响 可以 \
    需要 应该 必须 如果 因为 所以 但是 而且 或者 以及 通过 进行 使用 提供 支持 包括 根据 关于 对于 其中 这个 那个 什么 怎么 \
    已经 正在 开始 结束 继续 停止 打开 关闭 创建 删除 修改 更新 检查 确认 选择 显示 隐藏 保存 读取 写入 发送 接收 连接 断开 \
    今天 明天 昨天 现在 以前 以后 第一 第二 最后 所有 每个 一些 许多 非常 特别 重要 主要 基本 简单 复杂 正确 安全 稳定 快速";

struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    }
}
